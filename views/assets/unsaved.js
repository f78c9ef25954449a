// Asks before somebody leaves a form that was changed and not sent.
for (const form of document.querySelectorAll('form[data-guard]')) {
  let isChanged = form.dataset.guard === 'changed';
  form.addEventListener('input', () => {
    isChanged = true;
  });
  form.addEventListener('submit', () => {
    isChanged = false;
  });
  window.addEventListener('beforeunload', (event) => {
    if (isChanged) event.preventDefault();
  });
}
