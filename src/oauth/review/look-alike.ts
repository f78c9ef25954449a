/**
 * Characters that pass for Latin letters are above their twins: the common ones of Unicode's
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

/** Unicode calls these ignorable or formatting, or they look like nothing. */
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
  readonly ownerId: number | null;
  readonly name: string;
}

export type KnownNames = ReadonlyMap<string, readonly NamedClient[]>;

export function knownNames(clients: readonly NamedClient[]): KnownNames {
  return Map.groupBy(clients, ({ name }) => skeletonOf(name));
}

export function namesLike({ id, ownerId, name }: NamedClient, known: KnownNames): readonly string[] {
  const isOthers = (other: NamedClient): boolean =>
    ownerId === null ? other.id !== id : other.ownerId !== ownerId;
  const alike = known.get(skeletonOf(name)) ?? [];
  return [...new Set(alike.filter(isOthers).map((other) => other.name))];
}

/**
 * Letters of these pass for another's. Scripts that one word may mix, as in Japanese, are left out.
 */
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

export function mixedWords(text: string): readonly { readonly word: string; readonly scripts: string }[] {
  return (text.match(/[\p{L}\p{M}]+/gu) ?? []).flatMap((word) => {
    const scripts = Object.entries(alphabets).flatMap(([script, letter]) =>
      letter.test(word) ? [script] : [],
    );
    return scripts.length > 1 ? [{ word, scripts: scripts.join(' and ') }] : [];
  });
}

/** Finds invisible characters and those that reverse the writing direction, except in emoji. */
export function unseenCharacters(text: string): readonly string[] {
  const found = text.replaceAll(/\p{RGI_Emoji}/gv, '').match(unseen) ?? [];
  return [...new Set(found.map(codePointOf))];
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
