// Keeps what was typed while the page's language is changed: in this tab alone, and until the next page is shown.
// Passwords and files are kept nowhere.
const place = 'typed before another language';
const choice = document.querySelector('form.languages');
const unkept = ['hidden', 'password', 'file', 'submit', 'button', 'reset', 'fieldset', 'output'];
const isTick = ({ type }) => type === 'checkbox' || type === 'radio';

/** Fields by what they are for, since a page has other words in another language. */
function listFields() {
  const seen = new Map();
  return (
    [...document.forms]
      .filter((form) => form !== choice)
      .flatMap((form) => [...form.elements])
      // The profile's own choice is the one that was made.
      .filter(({ name, type }) => name && name !== 'language' && !unkept.includes(type))
      .map((field) => {
        const what = [field.form.getAttribute('action'), field.name, isTick(field) ? field.value : ''].join(
          ' ',
        );
        const count = seen.get(what) ?? 0;
        seen.set(what, count + 1);
        return [`${what} ${count}`, field];
      })
  );
}

const contentOf = (field) => (isTick(field) ? field.checked : field.value);
const kept = JSON.parse(sessionStorage.getItem(place) ?? '{}');
sessionStorage.removeItem(place);
for (const [key, field] of listFields()) {
  if (!(key in kept) || kept[key] === contentOf(field)) continue;
  field[isTick(field) ? 'checked' : 'value'] = kept[key];
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

choice.addEventListener('submit', () => {
  const values = listFields().map(([key, field]) => [key, contentOf(field)]);
  sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(values)));
});
