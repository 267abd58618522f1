// The keys of remote controls.

/**
 * What a key does, by the code that televisions send for it. Several keys have no name in `event.key`, or one that differs between
 * televisions.
 */
const codes = {
  // Tizen (https://developer.samsung.com/smarttv/develop/guides/user-interaction/remote-control.html).
  10009: 'Back', 427: 'ChannelUp', 428: 'ChannelDown',
  // webOS (https://webostv.developer.lge.com/develop/guides/key-codes-back-button), and HbbTV (CEA-2014: VK_BACK).
  461: 'Back', 33: 'ChannelUp', 34: 'ChannelDown',
  // Android TV (KEYCODE_BACK, KEYCODE_DPAD_CENTER, KEYCODE_CHANNEL_UP and KEYCODE_CHANNEL_DOWN).
  4: 'Back', 23: 'Enter', 166: 'ChannelUp', 167: 'ChannelDown',
  13: 'Enter', 37: 'ArrowLeft', 38: 'ArrowUp', 39: 'ArrowRight', 40: 'ArrowDown',
};
for (let digit = 0; digit < 10; digit++) codes[48 + digit] = codes[96 + digit] = String(digit);

/** What a key does, by its name, which takes precedence: the code 166 is also `BrowserBack`. */
const names = {
  GoBack: 'Back', BrowserBack: 'Back', XF86Back: 'Back', Select: 'Enter', Accept: 'Enter', PageUp: 'ChannelUp', PageDown: 'ChannelDown',
  XF86RaiseChannel: 'ChannelUp', XF86LowerChannel: 'ChannelDown',
};

// HbbTV defines the codes of its keys as constants, which may differ from the usual ones.
for (const [constant, name] of [['VK_BACK', 'Back'], ['VK_CHANNEL_UP', 'ChannelUp'], ['VK_CHANNEL_DOWN', 'ChannelDown'], ['VK_ENTER', 'Enter']]) {
  const code = window[constant] || (window.KeyEvent && window.KeyEvent[constant]);
  if (code) codes[code] = name;
}

/** Returns what a key does: `Back`, `ChannelUp`, `ChannelDown`, `Enter`, an arrow, a digit, or another name of a key. */
export function keyOf({ key, keyCode }) {
  if (names[key]) return names[key];
  const isNamed = key && key !== 'Unidentified' && !(keyCode in codes && /^XF86|^$/.test(key));
  return isNamed ? key : codes[keyCode] || key || '';
}

/** Requests the keys that a Tizen application receives only on request. */
export function requestKeys() {
  const { tizen } = window;
  if (!tizen || !tizen.tvinputdevice) return;
  for (const name of ['ChannelUp', 'ChannelDown', 'Minus', ...'0123456789']) {
    try { tizen.tvinputdevice.registerKey(name); } catch { /* the remote control has no such key */ }
  }
}
