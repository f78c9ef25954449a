// Proposes the browser's own time zone on a form that nobody has filled in yet.
const select = document.querySelector('select[data-propose="time-zone"]');
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (select instanceof HTMLSelectElement && [...select.options].some((option) => option.value === zone)) {
  select.value = zone;
}
