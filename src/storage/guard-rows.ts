import { type TSchema, Type } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import {
  type CodeMemory,
  emptyCode,
  emptyGateway,
  emptyStudent,
  type GatewayMemory,
  type StudentMemory,
} from '../domain/accounts/guard/memory.ts';

// The guard's memory as it lies in its rows: JSON, checked when it is read.

const moment = Type.Number();
const text = Type.String();
const step = Type.Union([Type.Literal('portal'), Type.Literal('unified-login')]);
const by = Type.Union([Type.Literal('holder'), Type.Literal('known'), Type.Literal('stranger')]);
const group = Type.Union([by, Type.Literal('registration'), Type.Literal('stored')]);
const state = Type.Union([
  Type.Literal('open'),
  Type.Literal('unknown'),
  Type.Literal('refused'),
  Type.Literal('marker'),
]);
const pause = Type.Union([Type.Null(), Type.Object({ until: moment, seconds: Type.Number() })]);

const Student = Type.Object({
  mismatches: Type.Array(Type.Object({ at: moment, by, network: text })),
  asks: Type.Array(Type.Object({ id: text, at: moment, by, state, endedAt: moment, setAside: Type.Boolean() })),
  registrations: Type.Array(Type.Object({ id: text, at: moment, network: text, state, endedAt: moment })),
  refusedSecrets: Type.Array(Type.Object({ print: text, step, at: moment, replaced: Type.Boolean() })),
  foreignPause: pause,
  ownPause: pause,
  provenAt: moment,
  setAsideAt: moment,
  rightLogins: Type.Array(moment),
  networks: Type.Array(Type.Object({ network: text, at: moment })),
  unlock: Type.Union([Type.Null(), Type.Object({ hash: text, until: moment, tries: Type.Number() })]),
});

const Gateway = Type.Object({
  refused: Type.Array(
    Type.Object({
      id: text,
      at: moment,
      group: Type.Union([Type.Literal('stranger'), Type.Literal('owner'), Type.Literal('registration')]),
      network: text,
    }),
  ),
  registered: Type.Array(Type.Object({ at: moment, count: Type.Number() })),
  markers: Type.Array(Type.Object({ at: moment, student: text, group })),
  pauses: Type.Array(Type.Object({ group, until: moment })),
  storedRefused: Type.Array(Type.Object({ at: moment, student: text })),
  storedAccepted: Type.Array(moment),
  brake: Type.Union([
    Type.Null(),
    Type.Object({
      why: Type.Union([Type.Literal('markers'), Type.Literal('refusals')]),
      nextAt: moment,
      until: moment,
    }),
  ]),
});

const Code = Type.Object({
  refused: Type.Array(Type.Object({ id: text, at: moment, network: text })),
  accepted: Type.Array(Type.Object({ at: moment, network: text, count: Type.Number() })),
});

const checkStudent = TypeCompiler.Compile(Student);
const checkGateway = TypeCompiler.Compile(Gateway);
const checkCode = TypeCompiler.Compile(Code);

const parsed = <S extends TSchema, T>(check: TypeCheck<S>, memory: string | undefined, empty: T) => {
  if (memory === undefined || memory === '') return empty;
  const value: unknown = JSON.parse(memory);
  // No memory is no freedom: with an unreadable one nobody is compared and nothing is asked.
  if (!check.Check(value)) throw new Error('what the login guard remembers is not readable');
  return value;
};

export const studentMemory = (memory: string | undefined): StudentMemory => parsed(checkStudent, memory, emptyStudent);
export const gatewayMemory = (memory: string | undefined): GatewayMemory => parsed(checkGateway, memory, emptyGateway);
export const codeMemory = (memory: string | undefined): CodeMemory => parsed(checkCode, memory, emptyCode);
