// Runs before the page is drawn, so that a chosen theme does not flash; without a choice, the system's is followed.
{
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const set = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem('windrow-theme');
    } catch {
      // No storage: the theme of the system.
    }
    document.documentElement.dataset.theme = chosen ?? (dark.matches ? 'dark' : 'light');
  };
  set();
  dark.addEventListener('change', set);
}
