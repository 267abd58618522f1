// What the scripts of the pages use and Chrome 79 does not have. The service sends the scripts and the style sheets to televisions
// in the syntax of that version, and this script before them.

'use strict';

if (!Element.prototype.replaceChildren) {
  Element.prototype.replaceChildren = function (...children) {
    this.textContent = '';
    this.append(...children);
  };
}
if (!String.prototype.replaceAll) {
  String.prototype.replaceAll = function (text, other) { return this.split(text).join(other); };
}
if (!AbortSignal.timeout) {
  AbortSignal.timeout = milliseconds => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), milliseconds);
    return controller.signal;
  };
}
// Logical positions. Hours run across on televisions, so the block axis is vertical.
const positions = CSSStyleDeclaration.prototype, sample = document.documentElement.style;
if (!('insetBlockStart' in sample)) {
  Object.defineProperty(positions, 'insetBlockStart', { get() { return this.top; }, set(value) { this.top = value; } });
}
if (!('insetInlineStart' in sample)) {
  const isMirrored = () => document.documentElement.dir === 'rtl';
  Object.defineProperty(positions, 'insetInlineStart', {
    get() { return isMirrored() ? this.right : this.left; },
    set(value) { [this.left, this.right] = isMirrored() ? ['auto', value] : [value, 'auto']; },
  });
}
