// Shows times in the browser's own time zone, where none was chosen yet. The address says it then, so it happens once.
const form = document.querySelector('form[data-own-zone]');
const select = form?.querySelector('select[name="timeZone"]');
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const isOffered = [...(select?.options ?? [])].some((option) => option.value === zone);

if (isOffered && select.value !== zone) {
  select.value = zone;
  location.replace(`?${new URLSearchParams(new FormData(form))}${location.hash}`);
}
