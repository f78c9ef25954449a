export interface Html {
  readonly html: string;
}

type Value = string | Html | readonly Html[];

/** Escapes every value that isn't HTML already. */
export function html(texts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: texts.map((text, index) => text + textOf(values[index] ?? '')).join('') };
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return 'html' in value ? value.html : value.map(({ html }) => html).join('');
}
