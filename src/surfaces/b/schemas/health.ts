import { Type } from '@sinclair/typebox';

export const AliveResponse = Type.Object({ message: Type.String() }, { title: 'AliveResponse' });
export const ReadyResponse = Type.Object({ message: Type.String() }, { title: 'ReadyResponse' });
