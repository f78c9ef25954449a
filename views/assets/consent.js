// Holds Allow back for a moment whenever the page appears or gets the focus: another window may have lured a click to where it stands.
const holdMs = 500;

const allow = document.querySelector('button[value="allow"]');
let release;

function hold() {
  clearTimeout(release);
  allow.setAttribute('aria-disabled', 'true');
  release = setTimeout(() => allow.removeAttribute('aria-disabled'), holdMs);
}

allow.form.addEventListener('submit', (event) => {
  if (event.submitter === allow && allow.hasAttribute('aria-disabled')) event.preventDefault();
});
window.addEventListener('focus', hold);
window.addEventListener('pageshow', hold);
document.addEventListener('visibilitychange', hold);
hold();
