/**
 * Characters that pass for Latin letters, above their twins: the common ones of Unicode's
 * confusables (UTS #39 §4). Capitals have twins of their own: Н looks like H, н doesn't.
 */
const twins: ReadonlyMap<string, string> = new Map([
  ...zip(
    'АВЕЅІЈКМНОРСТУХѴԚԜЗБҮӀавеѕіјкмнорстухѵԛԝԁһгпӏүь',
    'abesljkmhopctyxvqwebylabesljkmhopctyxvqwdhrnlyb',
  ),
  ...zip('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹαβγεηικνορστυχωϲϳ', 'abezhlkmnoptyxcabyenlkvopotuxwcj'),
  ...zip('øłđħıɑɡʟƅ0134578|$@i', 'oldhlaglboleastblsal'),
  ...([
    ['ß', 'ss'],
    ['æ', 'ae'],
    ['œ', 'oe'],
  ] as const),
]);

function zip(characters: string, letters: string): readonly (readonly [string, string])[] {
  return [...characters].map((character, index) => [character, letters.charAt(index)]);
}

/** What looks like nothing, or is ignorable or formatting to Unicode. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu;

const twinOf = (letter: string): string => twins.get(letter) ?? letter;

/** Names with the same skeleton look alike. A name of signs alone is its own skeleton. */
export function skeletonOf(name: string): string {
  const letters = [...name.normalize('NFKD').replaceAll(unseen, '').replaceAll(/\p{M}/gu, '')];
  const latin = letters
    .map(twinOf)
    .map((letter) => letter.toLowerCase())
    .map(twinOf)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
  return latin === '' ? letters.join('').replaceAll(/\s/g, '') : latin;
}

interface NamedClient {
  readonly id: string;
  /** Null: the client is its metadata document's. */
  readonly ownerId: number | null;
  readonly name: string;
}

/** Names of accepted clients by skeleton. */
export type KnownNames = ReadonlyMap<string, readonly NamedClient[]>;

export function knownNames(clients: readonly NamedClient[]): KnownNames {
  return Map.groupBy(clients, ({ name }) => skeletonOf(name));
}

/** The names of other owners' clients that look like this one. */
export function namesLike({ id, ownerId, name }: NamedClient, known: KnownNames): readonly string[] {
  const isOthers = (other: NamedClient): boolean =>
    ownerId === null ? other.id !== id : other.ownerId !== ownerId;
  const alike = known.get(skeletonOf(name)) ?? [];
  return [...new Set(alike.filter(isOthers).map((other) => other.name))];
}

/** With letters that pass for another's; not scripts that one word may mix, as in Japanese. */
const alphabets = {
  Latin: /\p{Script=Latin}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Armenian: /\p{Script=Armenian}/u,
  Cherokee: /\p{Script=Cherokee}/u,
  Coptic: /\p{Script=Coptic}/u,
  Georgian: /\p{Script=Georgian}/u,
  Hebrew: /\p{Script=Hebrew}/u,
  Arabic: /\p{Script=Arabic}/u,
} as const;

/** The words of a text that mix alphabets, each with the alphabets that it mixes. */
export function mixedWords(text: string): readonly { readonly word: string; readonly scripts: string }[] {
  return (text.match(/[\p{L}\p{M}]+/gu) ?? []).flatMap((word) => {
    const scripts = Object.entries(alphabets).flatMap(([script, letter]) =>
      letter.test(word) ? [script] : [],
    );
    return scripts.length > 1 ? [{ word, scripts: scripts.join(' and ') }] : [];
  });
}

/** Invisible or reversing the writing direction, as `U+202E`; not those that emoji consist of. */
export function unseenCharacters(text: string): readonly string[] {
  const found = text.replaceAll(/\p{RGI_Emoji}/gv, '').match(unseen) ?? [];
  return [...new Set(found.map(codePointOf))];
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
