// Shows times in the browser's time zone, where none was chosen. The address then has it, so this runs once.
const form = document.querySelector('form[data-own-zone]');
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (form !== null && zone && !form.dataset.ownZone.split(' ').includes(zone)) {
  const query = new URLSearchParams(new FormData(form));
  query.set('timeZone', zone);
  location.replace(`?${query}${location.hash}`);
}
