// Runs on every page before the first paint: applies the settings of the guide page (theme, text size, direction, clock), and keeps
// pages for reading offline.
(() => {
  'use strict';
  const chosen = profiles.read(profiles.key('settings'), {});
  const root = document.documentElement;
  if (chosen.theme === 'light' || chosen.theme === 'dark') root.dataset.theme = chosen.theme;
  if (chosen.size === 'small' || chosen.size === 'large' || chosen.size === 'huge') root.dataset.size = chosen.size;
  if (chosen.dir === 'rtl' || chosen.dir === 'ltr') root.dir = chosen.dir;
  if (chosen.grid === 'vertical') root.dataset.grid = chosen.grid;
  root.classList.add('js');
  // The guide's script replaces the times of the server.
  if (profiles.isGuide && profiles.isElsewhere) root.classList.add('elsewhere');
  // Shows station logos once they have loaded. The initials of the name replace a logo that fails to load. A picture that the
  // service was still fetching is requested once more.
  const logo = event => (event.target instanceof HTMLImageElement && event.target.closest('.logo') ? event.target : null);
  document.addEventListener('load', event => logo(event)?.classList.add('there'), true);
  document.addEventListener('error', event => {
    const image = event.target, source = image instanceof HTMLImageElement ? image.getAttribute('src') : null;
    const isFirst = Boolean(source?.startsWith('/art/')) && !image.dataset.again;
    if (!logo(event)) {
      // Not all browsers show the initials of the style sheet.
      if (!isFirst) return image.closest?.('.v-logo') && image.replaceWith(image.dataset.instead);
      event.stopPropagation();
      image.dataset.again = 'yes';
      setTimeout(() => { image.src = source; }, 3000);
      return;
    }
    const name = image.closest('.station')?.querySelector('.name b')?.textContent;
    const sign = document.createElement('i');
    sign.textContent = initials(name ?? '');
    image.replaceWith(sign);
    if (!isFirst) return;
    setTimeout(() => {
      if (!sign.isConnected) return;
      const later = new Image();
      later.alt = '';
      later.onload = () => { later.classList.add('there'); sign.replaceWith(later); };
      later.src = source;
    }, 3000);
  }, true);

  // The server writes times with 24 hours.
  function writeTimes() {
    const format = timeFormat(chosen.clock, { timeZone: 'UTC' });
    for (const element of document.querySelectorAll('time')) {
      const time = /^(\d\d):(\d\d)(.*)$/s.exec(element.textContent);
      if (time) element.textContent = format.format(Date.UTC(2000, 0, 1, time[1], time[2])) + time[3];
    }
  }
  // The guide's script shows the state of the connection itself.
  function followConnection() {
    if (document.getElementById('guide')) return;
    const line = document.createElement('p');
    Object.assign(line, { id: 'state', className: 'state' });
    line.setAttribute('role', 'status');
    const show = () => {
      line.hidden = navigator.onLine !== false && root.dataset.stored === undefined;
      line.textContent = line.hidden ? '' : offlineNotice(root.dataset.stored, chosen.clock);
    };
    show();
    document.body.append(line);
    addEventListener('offline', show);
    addEventListener('online', () => (root.dataset.stored === undefined ? show() : location.reload()));
    if (root.dataset.stored === undefined) return;
    // The network may never have been away, but the service.
    setInterval(async () => {
      if (document.hidden) return;
      const response = await fetch(location.href, { cache: 'no-store' }).catch(() => null);
      if (response?.ok && !response.headers.has('Guide-Stored')) location.reload();
    }, 10000);
  }
  document.addEventListener('DOMContentLoaded', () => { writeTimes(); followConnection(); });

  // The service worker starts after the page has loaded. What the page loaded without it, or through an earlier version, it stores
  // afterwards.
  const workers = navigator.serviceWorker;
  const keep = worker => worker?.postMessage([location.href, ...performance.getEntriesByType('resource').map(entry => entry.name)]);
  workers?.addEventListener('controllerchange', () => keep(workers.controller));
  if (workers) addEventListener('load', async () => {
    try {
      await workers.register('/service-worker.js', { updateViaCache: 'none' });
      const { active } = await workers.ready;
      // After a reload that bypasses the worker, it does not become the controller.
      if (!workers.controller && active.state === 'activated') keep(active);
    } catch { /* without a service worker, the page needs a connection */ }
  });
})();
