// Asks before a changed form is left, and sends it once: a second click would cancel the first answer.
for (const form of document.querySelectorAll('form[data-guard]')) {
  let isChanged = form.dataset.guard === 'changed';
  form.addEventListener('input', () => {
    isChanged = true;
  });
  // Another language loses nothing.
  document.querySelector('form.languages')?.addEventListener('submit', () => {
    isChanged = false;
  });
  let isSent = false;
  form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
    isChanged = false;
  });
  window.addEventListener('pageshow', () => {
    isSent = false;
  });
  window.addEventListener('beforeunload', (event) => {
    if (isChanged) event.preventDefault();
  });
}
