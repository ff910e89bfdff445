// Features of the host beyond the language. They are read from globalThis instead of imported, so that bundlers don't
// add polyfills.
//
// Plan: NodeBuffer · HOST · NODE · coders of text.

/** The methods of Node's Buffer that the encoder uses. `utf8Write` works on any Uint8Array. */
interface NodeBuffer {
  allocUnsafe(length: number): Uint8Array;
  allocUnsafeSlow(length: number): Uint8Array;
  readonly prototype: {
    utf8Write?: (text: string, at: number, length: number) => number;
  };
}

interface Globals {
  readonly Buffer?: NodeBuffer;
  readonly process?: { readonly versions?: { readonly node?: string } };
  readonly Bun?: unknown;
  readonly Deno?: unknown;
}

/** The hosts that the codec treats differently. `nodejs` doesn't imply that Buffer exists. */
type Host = 'nodejs' | 'bun' | 'other';

function hostName(): Host {
  const { process, Bun, Deno } = globalThis as Globals;
  if (Bun !== undefined) return 'bun';
  return Deno === undefined && process?.versions?.node !== undefined ? 'nodejs' : 'other';
}

export const HOST: Host = /* @__PURE__ */ hostName();

function nodeBuffer(): { readonly Buffer: NodeBuffer; readonly version: number } | null {
  const { Buffer, process } = globalThis as Globals;
  const version = Number.parseInt(process?.versions?.node ?? '', 10);
  if (HOST !== 'nodejs' || typeof Buffer?.allocUnsafe !== 'function' || !(version >= 20)) return null;
  return { Buffer, version };
}

/** Node's Buffer and major version; null without Buffer, before Node 20, and in Bun, Deno and all other hosts. */
export const NODE = /* @__PURE__ */ nodeBuffer();

/** The instance types of TextEncoder and TextDecoder. */
interface Coders {
  readonly TextEncoder: InstanceType<typeof TextEncoder>;
  readonly TextDecoder: InstanceType<typeof TextDecoder>;
}

/**
 * Makes a TextEncoder or TextDecoder. If the host has no such class, or doesn't support these options, returns an
 * object that throws when it's used. So importing this library doesn't fail in hosts that lack these classes, such as
 * Jest's jsdom and some engines of React Native.
 */
export function coderOf<Name extends keyof Coders>(name: Name, ...options: unknown[]): Coders[Name] {
  try {
    return new (globalThis as unknown as Record<Name, new (...options: unknown[]) => Coders[Name]>)[name](...options);
  } catch {
    return new Proxy({} as Coders[Name], {
      get() {
        throw new Error(`the host has no ${name}`);
      },
    });
  }
}
