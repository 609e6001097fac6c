import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgeShown, readShown, showsSlider, standingTexts } from '../../../../src/campus/parsing/page-messages.ts';

const field = (name: string): string => readFileSync(`test/fixtures/field/${name}`, 'utf8');
const fields =
  '<input name="username"><input type="password" name="password"><input type="hidden" name="execution" value="e1">';
const form = (inside: string): string => `<html><body><form id="fm1">${inside}${fields}</form></body></html>`;
const WRONG = '用户名或密码错误';

describe('a refusal on a page of a login', () => {
  it.each(['f15-cas-refusal-1.html', 'f15b-cas-refusal-2.html', 'f15c-cas-refusal-plain.html'])('%s', (name) => {
    expect(judgeShown(field(name)).meaning).toBe('refused');
  });

  it.each([
    form(`<div id="msg" class="errors">${WRONG}</div>`),
    form(`<span id="showErrorTip"><span>${WRONG}</span></span>`),
    form(`<div class="alert alert-danger"><i></i> ${WRONG} <a>x</a></div>`),
    form(`<font color="red">${WRONG}</font>`),
    form(`<p style="color: red">${WRONG}`),
    form(`<div id=errormsg>用户名或&#23494;码错误</div>`),
    form(`<td>${WRONG}</td>`),
    `${WRONG}<input type="hidden" name="execution" value="e1">`,
    form(`<div class="hide">请输入验证码</div><div class="tip">${WRONG}</div>`),
    form(`<p hidden>x<p class="err">${WRONG}</p>`),
    form(`<div class="tip">${WRONG}</div><label>请输入验证码</label>`),
  ])('%s', (page) => {
    expect(judgeShown(page).meaning).toBe('refused');
  });
});

describe('no answer is what stands', () => {
  it.each([
    ['in a script', form(`<script>var texts = ['${WRONG}'];</script>`)],
    ['in a comment', form(`<!-- <div class="errors">${WRONG}</div> -->`)],
    ['in a hidden element', form(`<div class="errors" style="display: none"><div>x</div>${WRONG}</div>`)],
    ['in an element with the attribute', form(`<p id="tips" hidden><span>${WRONG}</span></p>`)],
    ['in a hidden element within the message', form(`<div class="errors"><span class="hide">${WRONG}</span></div>`)],
    ['in a template', form(`<template><p>${WRONG}</p></template>`)],
    ['in a text area or a style', form(`<textarea>${WRONG}</textarea><style>/* ${WRONG} */</style>`)],
    ['in an attribute', form(`<input placeholder="${WRONG}" title="${WRONG}">`)],
    ['in the title', `<title>${WRONG}</title>${form('')}`],
  ])('%s', (_where, page) => {
    expect(judgeShown(page).meaning).toBeNull();
  });
});

it('a message that we do not know is told, and the rest of the page is not its meaning', () => {
  const page = form(`<div id="msg">系统出现异常[3]</div><p>${WRONG}时请联系管理员</p>`);
  expect(judgeShown(page)).toEqual({ meaning: null, words: '系统出现异常[3]' });
});

it('a text that stood there before the password is help', () => {
  const help = `<div class="tips">首次登录请先激活</div><p>服务时间：7:00-23:00</p>`;
  const before = form(help);
  const standing = standingTexts(before);
  expect(standing).toEqual(['首次登录请先激活', '服务时间：7:00-23:00']);
  expect(judgeShown(before, standing).meaning).toBeNull();
  expect(judgeShown(form(`${help}<div class="errors">${WRONG}</div>`), standing).meaning).toBe('refused');
  expect(judgeShown(before).meaning).toBe('change');
});

it('blocks are lines, and what stands within a line stays together', () => {
  const page = '<div class="msg">a <b>b</b><br>c</br>d</div><p>e</p>f';
  expect(readShown(page)).toEqual({ messages: ['a b', 'c', 'd'], rest: ['e', 'f'] });
});

it('what stands behind a hidden element or a message is neither', () => {
  const page = '<div hidden>a<div>b</div></div><div class="msg">c<div>d</div></div><p>e</p>';
  expect(readShown(page)).toEqual({ messages: ['c', 'd'], rest: ['e'] });
});

it.each(['<p hidden>', '<div class="msg">', '<div style="display:none">', '<!--', '<span id=tip>密码错误'])(
  'a page of nothing but %s is read in linear time',
  (part) => {
    expect(judgeShown(part.repeat(100_000)).words.length).toBeLessThanOrEqual(200);
  },
);

describe('what is to be slid before the password', () => {
  it.each(['向右滑动完成验证', '通知：请拖动滑块完成拼图', '完成拼图验证', '滑块验证'])('%s', (text) => {
    expect(showsSlider(form(`<p>${text}</p>`))).toBe(true);
  });

  it.each([
    '向右滑动查看更多',
    '我校学生完成拼图大赛',
    '关于山体滑坡的通知',
    '左右滑动浏览图片',
    '关于启用滑块验证的通知',
    '移动端拼图',
  ])('not %s', (text) => {
    expect(showsSlider(form(`<div class="slider"><p>${text}</p></div>`))).toBe(false);
  });
});
