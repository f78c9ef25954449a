// Shows times in the browser's own time zone, where none was chosen yet. The address says it then, so it happens once.
const form = document.querySelector('form[data-own-zone]');
const [shown] = form?.elements.timeZone.selectedOptions ?? [];
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (shown !== undefined && zone && shown.value !== zone && shown.dataset.former !== zone) {
  const query = new URLSearchParams(new FormData(form));
  query.set('timeZone', zone);
  location.replace(`?${query}${location.hash}`);
}
