// A chosen time zone counts immediately; the button is for browsers without scripts.
const form = document.querySelector('form.zone');
form?.elements.timeZone.addEventListener('change', () => form.requestSubmit());
form?.querySelector('button').remove();
