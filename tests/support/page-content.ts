import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { hiddenFieldsOf } from './world.ts';

/** Whether an address stays with us: a path of our own, or a place on the same page. */
export function isOwnAddress(address: string): boolean {
  return /^(#|\/(?![/\\]))/.test(address);
}

/** Every address on a page that a browser may load, follow or send a form to, as it is written. */
export function addressesOn(html: string): string[] {
  const attributes = html.matchAll(
    /\s(?:href|src|srcset|action|formaction|data|poster|cite|background|ping|xlink:href)\s*=\s*"([^"]*)"/gi,
  );
  const refreshes = html.matchAll(/http-equiv="refresh"\s+content="[^"]*url=([^"]*)"/gi);
  const styles = html.matchAll(/(?:url\(|@import)\s*['"]?([^'")]*)/gi);
  return [...attributes, ...refreshes, ...styles].map(([, address = '']) => textOf(address));
}

/**
 * A page's tags in order with the names of their attributes: what markup there is, whatever texts it holds. An address,
 * which may be random, has as many places to break as dashes.
 */
export function skeletonOf(html: string): string[] {
  return [
    ...html
      .replaceAll('<wbr>', '')
      .matchAll(/<(!--|!doctype|\/?[a-z][a-z0-9]*)((?:\s+[^\s=>"']+(?:="[^"]*")?)*)\s*>?/gi),
  ].map(([, tag = '', attributes = '']) =>
    [tag, ...[...attributes.matchAll(/([^\s=]+)(?:="[^"]*")?/g)].map(([, name = '']) => name)].join(' '),
  );
}

/** A page's text as it is read: tags left out, character references resolved. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** A page's headline. */
export function titleOf({ body }: LightMyRequestResponse): string {
  return textOf(/<h1[^>]*>(.*?)<\/h1>/s.exec(body)?.[1] ?? '');
}

/** The value of a page's hidden field; empty when there is none. */
export function hiddenFieldOf(html: string, name: string): string {
  const { [name]: value = '' } = hiddenFieldsOf(html);
  return value;
}

/** What a form says of a field. */
export function faultOf({ body }: LightMyRequestResponse, field: string): string | undefined {
  const words = new RegExp(`id="${field}-fault">([^<]*)<`).exec(body)?.[1];
  return words === undefined ? undefined : textOf(words);
}

/**
 * What a form shows as typed into an input, into a field's rows by lines, or into a textarea: browsers drop a line break at its
 * beginning.
 */
export function typedIn({ body }: LightMyRequestResponse, field: string): string | undefined {
  const rows = [...body.matchAll(new RegExp(`<input id="${field}(?:_\\d+)?"[^>]* value="([^"]*)"`, 'g'))];
  const text =
    rows.length > 0
      ? rows.map(([, row]) => row).join('\n')
      : new RegExp(`<textarea id="${field}"[^>]*>\\n?([^<]*)<`).exec(body)?.[1];
  return text === undefined ? undefined : textOf(text);
}

/** What a browser would send of the page's form, without its buttons. */
export function fieldsIn(html: string): Record<string, string> {
  const [main = ''] = /<main.*<\/main>/s.exec(html) ?? [];
  const [form = ''] = /<form[^>]* method="post".*?<\/form>/s.exec(main) ?? [];
  const fields = [...form.matchAll(/<(input|textarea|select)\b([^>]*)>(?:([^<]*)<\/textarea>)?/g)];
  return Object.fromEntries(
    fields.flatMap(([tag, kind, attributes = '', text = '']) => {
      const name = / name="([^"]*)"/.exec(attributes)?.[1];
      if (name === undefined || / disabled/.test(attributes)) return [];
      const isBox = / type="(?:checkbox|radio)"/.test(attributes);
      if (isBox && !/ checked/.test(attributes)) return [];
      const value = / value="([^"]*)"/.exec(attributes)?.[1];
      if (kind !== 'select')
        return [[name, textOf(kind === 'textarea' ? text.replace(/^\n/, '') : (value ?? 'on'))]];
      const list = form.slice(form.indexOf(tag)).split('</select>')[0] ?? '';
      const option = /<option([^>]*) selected>([^<]*)/.exec(list) ?? /<option([^>]*)>([^<]*)/.exec(list);
      return [[name, textOf(/value="([^"]*)"/.exec(option?.[1] ?? '')?.[1] ?? option?.[2] ?? '')]];
    }),
  );
}

/** A page's body without what stands apart from the words around it, whichever way its letters run. */
export function wordsAround(html: string): string {
  return textOf(html.slice(html.indexOf('<body>')).replaceAll(/<bdi>.*?<\/bdi>/gs, ''));
}

/** The content security policy, by directive. */
export function policyOf({ headers }: LightMyRequestResponse): Record<string, readonly string[]> {
  const directives = String(headers['content-security-policy'] ?? '').split('; ');
  return Object.fromEntries(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources] as const;
    }),
  );
}

/** The page itself answers with an error: nobody is sent anywhere, and nothing on it leads to `given` (contract §3). */
export function expectErrorPage(answer: LightMyRequestResponse, given?: string): void {
  expect(answer.statusCode).toBe(400);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.headers).not.toHaveProperty('location');
  expect(answer.headers).not.toHaveProperty('refresh');
  expect(addressesOn(answer.body).filter((address) => !isOwnAddress(address))).toEqual([]);
  expect(policyOf(answer)['form-action']).toEqual(["'self'"]);
  if (given !== undefined) expect(textOf(answer.body)).not.toContain(given);
}
