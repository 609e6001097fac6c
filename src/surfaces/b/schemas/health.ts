import { Type } from '@sinclair/typebox';

export const AliveResponse = Type.Object(
  { message: Type.String({ description: 'Always `service is alive`.' }) },
  { title: 'AliveResponse', description: 'The process answers.' },
);
export const ReadyResponse = Type.Object(
  { message: Type.String({ description: 'Always `service is ready`.' }) },
  { title: 'ReadyResponse', description: 'The service can serve.' },
);
