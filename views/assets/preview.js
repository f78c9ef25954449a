// Shows what users will see while it is typed: asks for the page that the button *Preview* leads to.
const button = document.querySelector('button[name="preview"]');
const { form } = button;
let timer;
let turn = 0;

async function show() {
  turn += 1;
  const own = turn;
  const body = new URLSearchParams(new FormData(form));
  body.set('preview', 'yes');
  const answer = await fetch(form.getAttribute('action'), { method: 'POST', body }).catch(() => undefined);
  const page = new DOMParser().parseFromString((await answer?.text()) ?? '', 'text/html');
  const next = page.querySelector('[data-preview]');
  // Without an answer, such as when one has to confirm who one is, the button leads there and back.
  button.hidden = next !== null;
  if (next !== null && own === turn) document.querySelector('[data-preview]').replaceWith(next);
}

button.hidden = true;
form.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(show, 400);
});
