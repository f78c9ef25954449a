// Keeps a part of the page up to date: asks for the page again, every few seconds while it is looked at,
// and for ten minutes. What is the same but for its age isn't read out again.
const part = document.querySelector('[data-live]');
const ms = Number(part.dataset.seconds) * 1000;
const endsAt = Date.now() + 10 * 60_000;

const timer = setInterval(async () => {
  if (Date.now() > endsAt) clearInterval(timer);
  if (document.hidden) return;
  const answer = await fetch(location.href).catch(() => undefined);
  const page = new DOMParser().parseFromString((await answer?.text()) ?? '', 'text/html');
  const next = page.querySelector('[data-live]');
  if (next === null) return;
  const [age, nextAge] = [part, next].map((one) => one.querySelector('time'));
  if (age && age.dateTime === nextAge?.dateTime) age.textContent = nextAge.textContent;
  else if (age || nextAge) part.replaceChildren(...next.childNodes);
}, ms);
