// What tests use of tools/, which is JavaScript with types in its comments.

declare module '@polypack/tools/vectors/judge.mjs' {
  import type { Tagged } from './_values.ts';
  import type { Fault, Limits, Mode } from './_vectors.ts';

  interface Options {
    readonly mode?: Mode;
    readonly records?: 'off' | 'inline';
    readonly limits?: Limits;
    readonly language?: 'javascript';
  }
  type Judgement =
    | { readonly value: Tagged; readonly end: number }
    | { readonly error: Fault }
    | { readonly varies: string };

  export function judge(bytes: Uint8Array, options?: Options): Judgement;
  export function judgeFirst(bytes: Uint8Array, start: number, options?: Options): Judgement;
}

declare module '@polypack/tools/vectors/described.mjs' {
  export type Described = Record<string, unknown>;

  export function describe(
    value: unknown,
    classes: { readonly PhpCase: object; readonly PhpObject: object },
  ): Described;
  export function reduced(described: Described, keepsFloats?: boolean): Described;
}

declare module '@polypack/tools/vectors/reference.mjs' {
  import type { Tagged } from './_values.ts';

  export function encode(value: Tagged, pick?: (forms: number) => number, sorted?: boolean): Uint8Array;
}

// Has no types, and is only called.
declare module 'msgpack-lite' {
  const lite: {
    encode(value: unknown, options?: object): Uint8Array;
    decode(bytes: Uint8Array, options?: object): unknown;
    createCodec(options?: object): {
      addExtPacker(type: number, Class: unknown, pack: (value: never) => Uint8Array): void;
      addExtUnpacker(type: number, unpack: (bytes: Uint8Array) => unknown): void;
    };
  };
  export default lite;
}
