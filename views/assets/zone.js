// Who points at the time zone sees all cities, who types replaces it, and who leaves without a choice keeps it.
// On a booking page, a city of the list counts immediately.
for (const field of document.querySelectorAll('input[list]')) {
  const { form } = field;
  const keep = () => {
    field.value ||= field.placeholder;
  };
  let isPointed = false;
  field.addEventListener('pointerdown', () => {
    isPointed = true;
  });
  field.addEventListener('focus', () => {
    if (isPointed) {
      field.placeholder = field.value || field.placeholder;
      field.value = '';
    } else field.select();
    isPointed = false;
  });
  field.addEventListener('blur', keep);
  form.addEventListener('submit', keep);
  if (!form.matches('.zone')) continue;
  field.addEventListener('input', ({ inputType }) => {
    const isTyped = inputType !== undefined && inputType !== 'insertReplacementText';
    const isListed = [...field.list.options].some(({ value }) => value === field.value);
    if (isListed && !isTyped) form.requestSubmit();
  });
  // After Back, the field says the zone of the times that are shown.
  window.addEventListener('pageshow', () => form.reset());
}
