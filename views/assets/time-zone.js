// Sends the browser's time zone with a form, so that nobody has to choose it.
const field = document.querySelector('input[name="time_zone"]');
if (field !== null) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
