import { describe, expect, it } from 'vitest';
import { rebuild } from '../../../../src/campus/recordings/cells.ts';
import { docOf } from '../../../../src/campus/recordings/doc.ts';

const blanked = (text: string): string =>
  rebuild(
    docOf(text, () => false),
    () => '',
  );

describe('a page without its cells', () => {
  it.each([
    ['in a tag that is cut off', '<p>a</p><p title="张伟'],
    ['in a declaration', '<!doctype html><!ENTITY 张伟><p>a</p>'],
    ['in a comment without an end', '<p>a</p><!-- 张伟'],
    ['in CDATA', '<a><![CDATA[x > 张伟]]></a>'],
    ['in a closing tag', '<p>a</p 张伟>'],
    ['in a script whose text ends behind it', `<script>var a = "张伟;</script><p>"</p>`],
    ['in a script with a comment without an end', '<script>a; /* 张伟</script><p>*/</p>'],
    ['in JSON that is cut off', '{"a":"b","c":"张伟'],
  ])('holds nothing of a name %s', (_, text) => {
    expect(blanked(text)).not.toContain('张');
  });

  it('keeps how it begins and what stands between', () => {
    expect(blanked('<!doctype html><!-- a --><p>b</p>')).toBe('<!doctype html><!----><></>');
    expect(blanked('{"a":1} // b\n/* c */')).toBe('{"":} /**/\n/**/');
  });
});
