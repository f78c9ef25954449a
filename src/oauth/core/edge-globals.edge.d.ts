// Only these globals are in every edge runtime, so that I/O, clocks and processes don't compile in
// the core.

interface CryptoKey {
  readonly type: string;
  readonly extractable: boolean;
  readonly algorithm: { name: string };
  readonly usages: string[];
}

interface KeyAlgorithm {
  readonly name: string;
  readonly hash?: string;
  readonly namedCurve?: string;
  readonly salt?: Uint8Array;
  readonly info?: Uint8Array;
}

declare var crypto: {
  readonly subtle: {
    digest(algorithm: string, data: Uint8Array): Promise<ArrayBuffer>;
    sign(algorithm: string | KeyAlgorithm, key: CryptoKey, data: Uint8Array): Promise<ArrayBuffer>;
    importKey(
      format: string,
      key: Uint8Array | object,
      algorithm: string | KeyAlgorithm,
      extractable: boolean,
      usages: string[],
    ): Promise<CryptoKey>;
    generateKey(algorithm: KeyAlgorithm, extractable: boolean, usages: string[]): Promise<CryptoKey>;
    deriveBits(algorithm: KeyAlgorithm, key: CryptoKey, bits: number): Promise<ArrayBuffer>;
  };
};

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}

declare class URL {
  constructor(url: string, base?: string);
  static canParse(url: string, base?: string): boolean;
  readonly href: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly username: string;
  readonly password: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly searchParams: { has(name: string): boolean };
}
