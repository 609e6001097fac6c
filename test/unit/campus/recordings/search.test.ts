import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../../../src/campus/recordings/charset.ts';
import type { Exchange } from '../../../../src/campus/recordings/recording.ts';
import { findLeak } from '../../../../src/campus/recordings/search.ts';

const exchangeOf = (text: string): Exchange => ({
  ...{ page: 'academics.terms', system: 'jwc', product: 'jwc', method: 'GET', path: '/', query: [], form: [] },
  ...{ status: 200, location: null, cookies: [], charset: 'utf-8', contentType: 'application/json' },
  body: Buffer.from(text),
  text,
});

const leakIn = (value: string, secrets = ['欧阳小雪', 'Secret-2023', '2023000001']) =>
  findLeak({
    exchanges: [exchangeOf(JSON.stringify({ name: value }))],
    readings: [],
    landed: {},
    secrets,
    replaced: [],
  });

const percent = (bytes: Uint8Array) => [...bytes].map((byte) => `%${byte.toString(16).toUpperCase()}`).join('');
const escapes = (text: string, sign: string) =>
  Array.from(text, (one) => `${sign}u${one.charCodeAt(0).toString(16)}`).join('');
const name = '欧阳小雪';
const hash = (kind: string, text: string) => createHash(kind).update(text).digest('hex');

describe('the search', () => {
  it.each([
    ['plain', name],
    ['inside another text', `学生${name}同学`],
    ['in capitals', 'SECRET-2023'],
    ['reversed', '雪小阳欧'],
    ['in percents of UTF-8', percent(Buffer.from(name))],
    ['in percents of GBK', percent(encodeText(name, 'gb18030') ?? Buffer.of())],
    ['in percents twice', percent(Buffer.from(name)).replaceAll('%', '%25')],
    ['in \\u', escapes(name, '\\')],
    ['in \\u twice', escapes(name, '\\\\')],
    ['in %u', escapes(name, '%')],
    ['in entities', Array.from(name, (one) => `&#${one.charCodeAt(0)};`).join('')],
    ['in entities in hex', Array.from(name, (one) => `&#x${one.charCodeAt(0).toString(16)};`).join('')],
    ['in entities twice', Array.from(name, (one) => `&amp;#${one.charCodeAt(0)};`).join('')],
    ...[0, 1, 2].map((at) => [`in Base64, moved by ${at}`, Buffer.from(`${'x'.repeat(at)}${name}`).toString('base64')]),
    ['in hex', Buffer.from(name).toString('hex')],
    ['as MD5', hash('md5', name)],
    ['as SHA-1', hash('sha1', '2023000001')],
    ['as SHA-256 in capitals', hash('sha256', '2023000001').toUpperCase()],
    ['a phone', '13812345678'],
    ['a phone in digits of full width', '１３８１２３４５６７８'],
    ['an id in digits of full width', '２０２３０００００１'],
    ['an identity number', '11010520000101001X'],
    ['a card', '6222020200112233445'],
    ['mail', 'somebody@example.com'],
  ])('finds %s, and names page and member without it', (_, text) => {
    expect(leakIn(text)).toEqual({ page: 'academics.terms', member: '.*' });
  });

  it('finds it in a request and in a record', () => {
    const clean = exchangeOf('{}');
    const parts = { readings: [], landed: {}, secrets: [name], replaced: [] };
    expect(findLeak({ ...parts, exchanges: [{ ...clean, form: [['xm', name]] }] })?.member).toBe('request');
    expect(findLeak({ ...parts, exchanges: [clean], landed: { jwc: { owner: name } } })?.member).toBe('landed');
    const reading = { page: 'academics.terms', parameters: [], record: { name }, failure: null } as const;
    expect(findLeak({ ...parts, exchanges: [clean], readings: [reading] })?.member).toBe('record');
  });

  it('finds nothing in what stands in its place', () => {
    expect(leakIn('课程一 王一 100001 2000000001 111111111111111111000000')).toBeNull();
  });
});

describe('bytes of a charset', () => {
  it.each(['utf-8', 'gb18030', 'utf-16le', 'utf-16be'])('are those of the text in %s', (charset) => {
    const text = '某学期𠮷·㐂 abc 6\n';
    expect(new TextDecoder(charset).decode(encodeText(text, charset) ?? Buffer.of())).toBe(text);
  });

  it('are none for a character that it lacks, and for a charset in which nothing is recorded', () => {
    expect(encodeText('\u{e5e5}', 'gb18030')).toBeNull();
    expect(encodeText('某', 'windows-1252')).toBeNull();
    expect(encodeText('某', '')).toBeNull();
  });
});
