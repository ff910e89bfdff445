// Tells code, comments and literals of JavaScript, TypeScript, PHP, Go, C and shell scripts apart,
// well enough for the checks.
//
// Plan: languageOf · splitSource, which blanks out the rest and keeps every line where it is.

/** @typedef {'js' | 'php' | 'go' | 'c' | 'sh'} Language */

/** @type {Record<string, Language>} */
const LANGUAGES = {
  '.js': 'js',
  '.cjs': 'js',
  '.mjs': 'js',
  '.ts': 'js',
  '.cts': 'js',
  '.mts': 'js',
  '.php': 'php',
  '.go': 'go',
  '.c': 'c',
  '.h': 'c',
  '.sh': 'sh',
};

/**
 * The language of a source file, by its name or its first line.
 *
 * @param {string} file
 * @param {string} text
 * @returns {Language | undefined}
 */
export function languageOf(file, text) {
  return LANGUAGES[/\.[a-z]+$/.exec(file)?.[0] ?? ''] ?? (/^#!.*\b(ba)?sh\b/.test(text) ? 'sh' : undefined);
}

// A slash after one of these starts a regular expression, after anything else it divides.
const BEFORE_REGEXP =
  /(?:^|[-+*%=<>!&|^~?:;,([{}\n]|\b(?:return|typeof|case|in|of|do|else|void|throw|yield|await))\s*$/;

/** Everything a language may hide a quote, a slash or a word in; the first alternative that matches wins. */
const LEXEMES = {
  js: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`|[{}]|\//g,
  go: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])+'|"(?:\\.|[^"\\\n])*"|`[^`]*`/g,
  c: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])+'|"(?:\\[\s\S]|[^"\\\n])*"/g,
  php: /#(?!\[)[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"|<<<[ \t]*(['"]?)(\w+)\1\n[\s\S]*?\n[ \t]*\2\b/g,
  sh: /(?<=^|\s)#[^\n]*|\\.|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|<<-?'?(\w+)'?\n[\s\S]*?\n\1$/gm,
};
const REGEXP = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(`|\$\{)/y;

/**
 * Splits a source text into its code and its comments. Both have the length and the lines of the text; what belongs to
 * neither, as the content of literals does, is blank in both.
 *
 * @param {string} text
 * @param {Language} language
 * @returns {{code: string, comments: string}}
 */
export function splitSource(text, language) {
  const lexemes = new RegExp(LEXEMES[language]);
  /** @type {{from: number, to: number}[]} */
  const comments = [];
  /** @type {{from: number, to: number}[]} */
  const literals = [];
  /** Open braces for each template literal around, innermost last. @type {number[]} */
  const templates = [];
  const template = (/** @type {number} */ from) => {
    TEMPLATE.lastIndex = from;
    const end = TEMPLATE.exec(text);
    if (end?.[1] === '${') templates.push(0);
    const to = end === null ? text.length : TEMPLATE.lastIndex;
    literals.push({ from, to });
    return to;
  };
  for (let match = lexemes.exec(text); match !== null; match = lexemes.exec(text)) {
    const [found] = match;
    const from = match.index;
    if (language === 'js' && found === '`') lexemes.lastIndex = template(from + 1);
    else if (language === 'js' && (found === '{' || found === '}')) {
      const depth = templates.pop();
      if (depth === undefined) continue;
      if (found === '{') templates.push(depth + 1);
      else if (depth > 0) templates.push(depth - 1);
      else lexemes.lastIndex = template(from + 1);
    } else if (found === '/') {
      REGEXP.lastIndex = from;
      if (!BEFORE_REGEXP.test(text.slice(Math.max(0, from - 40), from)) || !REGEXP.test(text)) continue;
      literals.push({ from, to: REGEXP.lastIndex });
      lexemes.lastIndex = REGEXP.lastIndex;
    } else {
      const isComment = /^(?:\/\/|\/\*|#)/.test(found);
      (isComment ? comments : literals).push({ from, to: from + found.length });
    }
  }
  return { code: without([...comments, ...literals], text), comments: only(comments, text) };
}

/** @param {string} text */
const blank = (text) => text.replace(/[^\n]/g, ' ');

/**
 * @param {{from: number, to: number}[]} spans
 * @param {string} text
 */
function only(spans, text) {
  let [result, at] = ['', 0];
  for (const { from, to } of spans) {
    result += blank(text.slice(at, from)) + text.slice(from, to);
    at = to;
  }
  return result + blank(text.slice(at));
}

/**
 * @param {{from: number, to: number}[]} spans
 * @param {string} text
 */
function without(spans, text) {
  let [result, at] = ['', 0];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(at, from) + blank(text.slice(from, to));
    at = to;
  }
  return result + text.slice(at);
}
