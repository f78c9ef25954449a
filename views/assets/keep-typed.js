// Keeps typed text while a visitor chooses another time: in this tab alone, and only until it is sent.
const form = document.querySelector('form[data-keep]');
const place = `typed ${location.pathname}`;
const fields = [
  ...form.querySelectorAll('input:not([type="hidden"], [type="radio"], [type="checkbox"]), select, textarea'),
];
const isSent = form.dataset.keep === 'sent';

const keep = () =>
  sessionStorage.setItem(
    place,
    JSON.stringify(
      Object.fromEntries(fields.map(({ name, value }) => [name, value]).filter(([, value]) => value)),
    ),
  );

if (isSent) {
  keep();
  // Going back leads to the form's own address, since an answer to a form can't be shown again.
  history.replaceState(null, '', form.dataset.again);
} else {
  const kept = JSON.parse(sessionStorage.getItem(place) ?? '{}');
  for (const field of fields) {
    field.value = kept[field.name] ?? field.value;
    if (field.value) field.closest('details')?.setAttribute('open', '');
  }
}
form.addEventListener('input', keep);
form.addEventListener('submit', () => sessionStorage.removeItem(place));
