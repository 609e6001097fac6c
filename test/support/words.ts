/** How many words a text has. A Chinese one has about one and a half characters. */
export const wordsOf = (text: string): number => {
  const chinese = (text.match(/\p{Script=Han}/gu) ?? []).length / 1.5;
  const others = text
    .replaceAll(/\p{Script=Han}/gu, ' ')
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length;
  return chinese + others;
};
