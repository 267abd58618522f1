// The details of an airing and the settings are in a script of their own, which loads on first use: most visits need neither.

const dialogs = {
  loading: null,
  isLoaded: false,

  /** Loads the script once. Returns whether it is there; shows an error if not. */
  load() {
    return this.loading ??= new Promise(resolve => {
      const end = isLoaded => () => {
        this.isLoaded = isLoaded;
        if (!isLoaded) {
          // The next use tries again.
          this.loading = null;
          script.remove();
          showStatus('This part of the page could not be loaded. Try again, or reload the page.');
        }
        resolve(isLoaded);
      };
      const script = make('script', { src: grid.dataset.dialogs, onload: end(true), onerror: end(false) });
      document.head.append(script);
    });
  },
  /** Shows the details of an airing of the grid. */
  async openAiring(cell, row) { if (await this.load()) panel.open(cell, row); },
  async openSettings() { if (await this.load()) options.open(); },
  /** Reads the shown airing again after the guide changed. */
  refresh() { if (this.isLoaded) panel.refresh(); },
};
