// Runs before anything is drawn, on every page: applies what was chosen on the guide page (colours, size of text).
'use strict';
(() => {
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem('epg.settings')) || {};
  } catch { /* no storage, or not ours: everything stays as it is by default */ }
  const root = document.documentElement;
  if (chosen.theme === 'light' || chosen.theme === 'dark') root.dataset.theme = chosen.theme;
  if (chosen.size === 'small' || chosen.size === 'large' || chosen.size === 'huge') root.dataset.size = chosen.size;
  if (chosen.dir === 'rtl' || chosen.dir === 'ltr') root.dir = chosen.dir;
  root.classList.add('js');
})();
