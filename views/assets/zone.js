// A time zone that is chosen with the pointer counts immediately. Keys only move through the list, and
// Enter or the button sends it, so that nothing reloads under people who type.
const form = document.querySelector('form.zone');
const list = form?.elements.timeZone;
let isTyping = false;

list?.addEventListener('pointerdown', () => {
  isTyping = false;
});
list?.addEventListener('keydown', (event) => {
  isTyping = true;
  if (event.key !== 'Enter' || list.selectedOptions[0].defaultSelected) return;
  event.preventDefault();
  form.requestSubmit();
});
list?.addEventListener('change', () => {
  if (!isTyping) form.requestSubmit();
});
// After Back, the list says the zone of the times that are shown.
window.addEventListener('pageshow', () => form?.reset());
