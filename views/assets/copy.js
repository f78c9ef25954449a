// Copy buttons stay hidden without a clipboard. Each says for a moment that it has copied.
const saidMs = 1500;

for (const button of document.querySelectorAll('button[data-copy]')) {
  if (navigator.clipboard === undefined) break;
  const label = button.firstChild;
  const words = label.data;
  button.hidden = false;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    label.data = button.dataset.copied ?? 'Copied';
    setTimeout(() => {
      label.data = words;
    }, saidMs);
  });
}
