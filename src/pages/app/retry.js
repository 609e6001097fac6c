// Served at a fixed address: while replicas change their version, one may lack what the page of another names.
addEventListener('load', () => {
  const key = 'campus-reloaded';
  if ('started' in document.documentElement.dataset || sessionStorage.getItem(key) === 'yes') return;
  sessionStorage.setItem(key, 'yes');
  location.reload();
});
