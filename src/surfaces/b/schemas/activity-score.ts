import { Type } from '@sinclair/typebox';

export const CreditInfo = Type.Object(
  {
    TotalScore: Type.Number({ description: 'As the campus has computed it.' }),
    IsTypeAdopt: Type.Boolean({ description: 'The requirement for graduation is met.' }),
    TypeAdoptResult: Type.String({ description: 'Why it is not met.' }),
  },
  { title: 'CreditInfo' },
);

export const CreditItem = Type.Object(
  {
    ID: Type.String(),
    Title: Type.String(),
    TypeName: Type.String(),
    UserNo: Type.String({ description: 'Student number.' }),
    Score: Type.Number(),
    AddTime: Type.String({ description: 'As the campus writes it: `2098-10-01 10:00:00` or `2098/10/01`.' }),
  },
  { title: 'CreditItem' },
);

export const CreditCategory = Type.Object(
  {
    ID: Type.String(),
    ShowNum: Type.Integer({ description: 'Number to show.' }),
    TypeName: Type.String(),
    TotalScore: Type.Number(),
    children: Type.Array(CreditItem),
  },
  { title: 'CreditCategory' },
);

export const CreditCategories = Type.Array(CreditCategory);
