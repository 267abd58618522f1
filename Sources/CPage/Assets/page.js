// Runs on every page before the first paint: applies the settings of the guide page (theme, text size, direction).
'use strict';
(() => {
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem('epg.settings')) || {};
  } catch { /* no storage, or invalid content: keep the defaults */ }
  const root = document.documentElement;
  if (chosen.theme === 'light' || chosen.theme === 'dark') root.dataset.theme = chosen.theme;
  if (chosen.size === 'small' || chosen.size === 'large' || chosen.size === 'huge') root.dataset.size = chosen.size;
  if (chosen.dir === 'rtl' || chosen.dir === 'ltr') root.dir = chosen.dir;
  root.classList.add('js');
  // Shows station logos once they have loaded. The initials of the name replace a logo that fails to load. A picture that the
  // service was still fetching is requested once more.
  const logo = event => (event.target instanceof HTMLImageElement && event.target.closest('.logo') ? event.target : null);
  document.addEventListener('load', event => logo(event)?.classList.add('there'), true);
  document.addEventListener('error', event => {
    const image = event.target, source = image instanceof HTMLImageElement ? image.getAttribute('src') : null;
    const isFirst = Boolean(source?.startsWith('/art/')) && !image.dataset.again;
    if (!logo(event)) {
      if (!isFirst) return;
      event.stopPropagation();
      image.dataset.again = 'yes';
      setTimeout(() => { image.src = source; }, 3000);
      return;
    }
    const name = image.closest('.station')?.querySelector('.name b')?.textContent;
    const sign = document.createElement('i'), words = (name ?? '').split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    sign.textContent = words.slice(0, 2).map(word => [...word][0]).join('').toUpperCase();
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
})();
