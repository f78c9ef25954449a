// Sends the answer on to the app, as the button does.
document.querySelector('form[rel="external"]').submit();
