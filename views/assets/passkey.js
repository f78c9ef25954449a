// Creates or uses a passkey when the form is sent (WebAuthn Level 3 §5).
// Without JavaScript or passkeys the page says so, and its button stays hidden.
const form = document.querySelector('form[data-passkey]');
const button = form.querySelector('button');
const fault = form.querySelector('[data-passkey-fault]');
const usualFault = fault.textContent;
const isNew = form.dataset.passkey === 'create';

const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
const toText = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const withBytes = (list = []) => list.map((one) => ({ ...one, id: toBytes(one.id) }));

async function ask() {
  const options = JSON.parse(form.dataset.options);
  const publicKey = { ...options, challenge: toBytes(options.challenge) };
  if (isNew) {
    publicKey.user = { ...options.user, id: toBytes(options.user.id) };
    publicKey.excludeCredentials = withBytes(options.excludeCredentials);
    return navigator.credentials.create({ publicKey });
  }
  publicKey.allowCredentials = withBytes(options.allowCredentials);
  return navigator.credentials.get({ publicKey });
}

function describe({ id, type, response }) {
  const parts = isNew
    ? ['clientDataJSON', 'attestationObject']
    : ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle'];
  const sent = parts.filter((name) => response[name]).map((name) => [name, toText(response[name])]);
  return JSON.stringify({ id, rawId: id, type, response: Object.fromEntries(sent) });
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  fault.hidden = true;
  try {
    form.elements.credential.value = describe(await ask());
    form.submit();
  } catch (error) {
    fault.textContent =
      error.name === 'InvalidStateError' ? 'This device already has a passkey for your account.' : usualFault;
    fault.hidden = false;
    button.disabled = false;
  }
});

if (window.PublicKeyCredential !== undefined) {
  form.querySelector('[data-passkey-missing]').hidden = true;
  button.hidden = false;
}
