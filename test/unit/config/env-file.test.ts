import { describe, expect, it } from 'vitest';
import { findingLine } from '../../../src/config/finding.ts';
import { envFileProblems } from '../../../src/config/process-files.ts';

const lines = (text: string): string[] => envFileProblems(text).map(findingLine);

describe('the file .env', () => {
  it('may hold assignments, comments, blank lines and quoted values over several lines', () => {
    const text = '# a comment\n\nPORT=3000\n  export HOST = 0.0.0.0\r\nEMPTY=\nKEYS="one,\ntwo three"\nLAST=\'x\'\n';
    expect(lines(text)).toEqual([]);
  });

  it('is refused with every line that would be skipped, and repeats nothing of it', () => {
    expect(lines('PORT=3000\nSECRET_KEY 1234\nHOST: 0.0.0.0\n=x\n')).toEqual(
      [2, 3, 4].map((line) => `.env: line ${line} is no assignment; write NAME=value, or # before a comment`),
    );
  });
});
