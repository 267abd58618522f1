// Keys and clicks in the grid.

function listenToKeys() {
  grid.addEventListener('keydown', event => {
    if (!event.target.closest('.cell') || !focus.cell || view.count === 0) return;
    if ((event.key === 'Enter' || event.key === ' ') && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
    const action = focus.action(event);
    if (!action) return;
    event.preventDefault();
    // Sequential: each step starts where the previous one ended.
    focus.steps = focus.steps.then(() => focus.action(event)?.()).catch(() => showStatus('The guide is unavailable.'));
  });
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea, dialog')) return;
    if (event.key === '/') { event.preventDefault(); byID('q').focus(); }
    if (event.key === 'n') { event.preventDefault(); tools.jumpToNow(true); }
  });
  // A click or tab into a cell moves the focus of the grid there.
  grid.addEventListener('focusin', event => {
    const element = event.target.closest('.cell');
    if (!element?.cell?.facts || focus.isOn(element.cell.row, element.cell.facts)) return;
    const { facts, row } = element.cell;
    if (facts.id < 0) return;
    focus.set(row, facts, Math.max(facts.s, Math.min(layout.firstInstant(), facts.e - 1)), false);
  });
  grid.addEventListener('click', event => {
    const star = event.target.closest('.star');
    if (star) return toggleFavorite(star.closest('.head').dataset.station);
    const cell = event.target.closest('.cell')?.cell;
    if (!cell?.facts) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const { facts, row } = cell;
    if (facts.id > 0) {
      focus.set(row, facts, Math.max(facts.s, Math.min(clock.now(), facts.e - 1)));
      dialogs.openAiring(facts, row);
    } else if (facts.id < 0) {
      // Focusing an airing of a cluster splits it from the others.
      focus.set(row, facts.members.find(member => member.id > 0) ?? facts.members[0], facts.s);
    }
  });
  // A tooltip with the full title.
  grid.addEventListener('pointerover', event => {
    const cell = event.target.closest('.cell')?.cell;
    if (cell?.facts?.id && !cell.link.title) {
      const { facts } = cell, range = zone.range(facts.start, facts.stop);
      cell.link.title = facts.id > 0 ? [facts.title, facts.sub, range].filter(Boolean).join('\n') : facts.members.map(m => zone.label(m.start) + ' ' + m.title).join('\n');
    }
  });
}

