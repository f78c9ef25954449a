// The reader sends an empty Bearer where no token was entered, which would be refused as a token.
// Samples of the guide, and examples that *Test Request* sends, get values of the person who reads it.
const values = JSON.parse(document.querySelector('#api-reference').dataset.values);
const { YOUR_EVENT_TYPE_ID: id, username } = values;
const own = { ...(id && { eventTypeId: Number(id) }), ...(username && { username }) };
const send = window.fetch;

/** A parameter, and a field of an example, is known by its name. */
function withOwn(name, value) {
  if (name in own && typeof value === typeof own[name]) return own[name];
  return value?.in && value.name in own ? { ...value, example: own[value.name] } : value;
}

window.fetch = async (input, init) => {
  const request = new Request(input, init);
  if (/^bearer$/i.test(request.headers.get('authorization') ?? '')) request.headers.delete('authorization');
  const answer = await send(request);
  if (Object.keys(own).length === 0 || !request.url.endsWith('/openapi.json')) return answer;
  const text = (await answer.text()).replaceAll('YOUR_EVENT_TYPE_ID', id ?? 'YOUR_EVENT_TYPE_ID');
  return new Response(JSON.stringify(JSON.parse(text, withOwn)), answer);
};
