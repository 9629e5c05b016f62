// Runs before the page is drawn, so that a chosen theme does not flash.
(() => {
  try {
    const theme = localStorage.getItem('windrow-theme');
    if (theme === 'light' || theme === 'dark') {
      document.documentElement.dataset.theme = theme;
    }
  } catch {
    // No storage: the theme of the system.
  }
})();
