import { expect, it } from 'vitest';
import { decodeImageText } from '../../../../src/domain/profiles/prepare-image.ts';
import { pictures } from '../../../support/images.ts';

const { png } = pictures;
const base64 = png.toString('base64');
const refused = expect.objectContaining({ kind: 'image-unsupported' });

it.each([
  ['bare base64', base64],
  ['lines of 76 characters', base64.replace(/.{76}/g, '$&\r\n')],
  ['a data URI', `data:image/png;base64,${base64}`],
  ['a data URI with parameters', `data:image/png;name=a.png;charset=utf-8;base64,${base64}`],
  ['a data URI in capitals, behind a blank', ` DATA:IMAGE/PNG;BASE64,${base64}`],
  ['a data URI of another type, which is not believed', `data:image/webp;base64,${base64}`],
])('an image is read from %s', (_, text) => {
  expect(png.equals(decodeImageText(text))).toBe(true);
});

it.each([
  ['the alphabet of addresses', base64.replaceAll('+', '-').replaceAll('/', '_')],
  ['missing padding', base64.replace(/=+$/, '')],
  ['escaped characters', `data:image/png;base64,${encodeURIComponent(base64)}`],
  ['two images', `data:image/png;base64,${base64},${base64}`],
  ['blanks alone', ' \n'],
])('an image is not read from %s', (_, text) => {
  expect(text).not.toBe(base64);
  expect(() => decodeImageText(text)).toThrow(refused);
});
