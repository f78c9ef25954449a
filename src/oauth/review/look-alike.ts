/**
 * Letters of other alphabets, digits and signs that pass for Latin letters, after Unicode's
 * confusables (UTS #39 §4), the common ones. Capitals stand for themselves where they look like
 * another letter than their small form.
 */
const twins: Readonly<Record<string, string>> = {
  // Cyrillic
  ...{ А: 'a', В: 'b', Е: 'e', Ѕ: 's', І: 'l', Ј: 'j', К: 'k', М: 'm', Н: 'h', О: 'o', Р: 'p', С: 'c' },
  ...{ Т: 't', У: 'y', Х: 'x', Ѵ: 'v', Ԛ: 'q', Ԝ: 'w', З: 'e', Б: 'b', Ү: 'y', Ӏ: 'l' },
  ...{ а: 'a', в: 'b', е: 'e', ѕ: 's', і: 'l', ј: 'j', к: 'k', м: 'm', н: 'h', о: 'o', р: 'p', с: 'c' },
  ...{
    т: 't',
    у: 'y',
    х: 'x',
    ѵ: 'v',
    ԛ: 'q',
    ԝ: 'w',
    ԁ: 'd',
    һ: 'h',
    г: 'r',
    п: 'n',
    ӏ: 'l',
    ү: 'y',
    ь: 'b',
  },
  // Greek
  ...{ Α: 'a', Β: 'b', Ε: 'e', Ζ: 'z', Η: 'h', Ι: 'l', Κ: 'k', Μ: 'm', Ν: 'n', Ο: 'o', Ρ: 'p', Τ: 't' },
  ...{ Υ: 'y', Χ: 'x', Ϲ: 'c', α: 'a', β: 'b', γ: 'y', ε: 'e', η: 'n', ι: 'l', κ: 'k', ν: 'v', ο: 'o' },
  ...{ ρ: 'p', σ: 'o', τ: 't', υ: 'u', χ: 'x', ω: 'w', ϲ: 'c', ϳ: 'j' },
  // Latin that does not come apart by itself
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ı: 'l', ɑ: 'a', ɡ: 'g', ʟ: 'l', ƅ: 'b' },
  // Digits and signs
  ...{ '0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '|': 'l', $: 's', '@': 'a' },
  i: 'l',
};

/**
 * Letters by their class that look like nothing all the same, and what Unicode calls ignorable or
 * formatting.
 */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu;

const twinOf = (letter: string): string => twins[letter] ?? letter;

/**
 * What is left of a name when everything is taken away that a hurried reader does not see: two
 * names with the same skeleton look alike. A name of signs alone is its own skeleton.
 */
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

/** Names of accepted clients, to be compared with by what they look like. */
export type KnownNames = ReadonlyMap<string, readonly { readonly ownerId: number; readonly name: string }[]>;

/** Makes names comparable, each once. */
export function knownNames(
  clients: readonly { readonly ownerId: number; readonly name: string }[],
): KnownNames {
  return Map.groupBy(clients, ({ name }) => skeletonOf(name));
}

/** The names of other owners' clients that look like this one. */
export function namesLike(name: string, ownerId: number, known: KnownNames): readonly string[] {
  const alike = known.get(skeletonOf(name)) ?? [];
  return [...new Set(alike.filter((other) => other.ownerId !== ownerId).map((other) => other.name))];
}

/**
 * Alphabets with letters that pass for another's; scripts that are written together in one word, as
 * in Japanese, are not among them.
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

/** The words of a text that mix alphabets, each with the alphabets that it mixes. */
export function mixedWords(text: string): readonly { readonly word: string; readonly scripts: string }[] {
  return (text.match(/[\p{L}\p{M}]+/gu) ?? []).flatMap((word) => {
    const scripts = Object.entries(alphabets).flatMap(([script, letter]) =>
      letter.test(word) ? [script] : [],
    );
    return scripts.length > 1 ? [{ word, scripts: scripts.join(' and ') }] : [];
  });
}

/**
 * The characters of a text that nobody sees or that turn the direction of writing, as `U+202E`,
 * each once; those that emoji are made of do not count.
 */
export function unseenCharacters(text: string): readonly string[] {
  const found = text.replaceAll(/\p{RGI_Emoji}/gv, '').match(unseen) ?? [];
  return [...new Set(found.map(codePointOf))];
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
