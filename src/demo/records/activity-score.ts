/** Activity score of one student, as the application sends it under `data`. */
export interface StudentActivityScore {
  readonly total: unknown;
  /** Categories in the order of the list; paged by the application. */
  readonly categories: readonly unknown[];
}

const item = (number: number, title: string, kind: string, score: unknown, addedAt: string, userid: string) => ({
  ID: `b1b7e0a2-8d57-4f6e-8a44-95be4b0f1${String(number).padStart(3, '0')}`,
  Title: title,
  TypeName: kind,
  UserNo: userid,
  Score: score,
  AddTime: addedAt,
});

const category = (number: number, name: string, total: unknown, children: unknown) => ({
  ID: `6f0d6f0e-2f0b-4a55-9a53-30c4f2a1c${String(number).padStart(3, '0')}`,
  ShowNum: number,
  TypeName: name,
  TotalScore: total,
  children,
});

/** Rows everywhere, with every oddity of the real lists: texts for numbers, two date forms, nulls. */
export const studentOneActivityScore = (userid: string): StudentActivityScore => ({
  total: { TotalScore: '83.5', IsTypeAdopt: 0, TypeAdoptResult: '劳动实践类得分未达到最低要求' },
  categories: [
    category(1, '思想成长', 21.5, [
      item(1, '主题团日活动', '团学活动', '1.5', '2024-03-15 10:30:00', userid),
      item(2, '暑期社会实践', '社会实践', 20, '2024/09/02', userid),
    ]),
    category(2, '志愿公益', '32', [item(3, '图书馆引导志愿服务', '志愿服务', 32, '2025-05-18 09:00:00', userid)]),
    category(3, '文体活动', 30, [
      {
        ...item(4, '校园合唱节', '文艺活动', 30, '2025-12-02 19:00:00', userid),
        UserNo: Number(userid),
        AddTime: null,
      },
    ]),
    category(4, '劳动实践', 0, null),
  ],
});

const TERMS = 104;

/** More categories than a page holds. */
export const studentTwoActivityScore = (userid: string): StudentActivityScore => ({
  total: { TotalScore: 112, IsTypeAdopt: true, TypeAdoptResult: '' },
  categories: Array.from({ length: TERMS }, (_, index) =>
    category(index + 201, `志愿服务第${index + 1}期`, 1, [
      item(index + 201, `社区服务第${index + 1}期`, '志愿服务', 1, '2025-06-01 08:00:00', userid),
    ]),
  ),
});

/** A new student: no rows at all. */
export const noActivityScore = (): StudentActivityScore => ({
  total: { TotalScore: 0, IsTypeAdopt: false, TypeAdoptResult: '尚无得分' },
  categories: [],
});
