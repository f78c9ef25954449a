// Holds Allow back whenever the page appears or gets the focus: another window may have lured a click there.
// Once an answer is sent, both buttons are held, since a second click would cancel it.
const holdMs = 500;

const allow = document.querySelector('button[value="allow"]');
const deny = document.querySelector('button[value="deny"]');
const opening = document.querySelector('#opening');
let release;
let isSent = false;

function hold() {
  clearTimeout(release);
  allow.setAttribute('aria-disabled', 'true');
  if (!isSent) release = setTimeout(() => allow.removeAttribute('aria-disabled'), holdMs);
}

allow.form.addEventListener('submit', (event) => {
  if (event.submitter?.hasAttribute('aria-disabled')) {
    event.preventDefault();
    return;
  }
  isSent = true;
  hold();
  deny.setAttribute('aria-disabled', 'true');
  opening.hidden = false;
});
window.addEventListener('focus', hold);
window.addEventListener('pageshow', () => {
  isSent = false;
  deny.removeAttribute('aria-disabled');
  opening.hidden = true;
  hold();
});
document.addEventListener('visibilitychange', hold);
hold();
