// Proposes the browser's own time zone on a form that nobody has filled in yet; some browsers tell a former name of it.
const select = document.querySelector('select[data-propose="time-zone"]');
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const option = [...(select?.options ?? [])].find(
  ({ value, dataset }) => value === zone || dataset.former === zone,
);
if (option !== undefined) option.selected = true;
