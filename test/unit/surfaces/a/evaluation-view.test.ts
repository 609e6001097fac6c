import { describe, expect, it } from 'vitest';
import { currentView, taskView } from '../../../../src/domain/evaluation/view.ts';
import {
  presentCourseInfo,
  presentCurrent,
  presentTask,
  progressText,
} from '../../../../src/surfaces/common/evaluation.ts';
import { course, key, Lead, list, opened, ready, running, submitted } from '../../domain/evaluation/support.ts';

const current = (lead: Lead) => presentCurrent(currentView(lead.held, lead.now));
const status = (lead: Lead) => presentTask(taskView(lead.held, lead.now), 'Asia/Shanghai', presentCourseInfo);
const message = (lead: Lead): string => progressText(taskView(lead.held, lead.now).progress);

const nothing = {
  is_evaluating: false,
  course_name: '',
  teacher_name: '',
  progress_text: '当前无评价任务',
  countdown_seconds: 0,
  current_index: -1,
  total_pending: 0,
};
const counting = (count = 2) =>
  running(count).take({ type: 'page-opening', key: key(1) }, { type: 'page-opened', key: key(1) });

describe('current', () => {
  it.each([
    ['initializing', () => new Lead().take({ type: 'initialize' })],
    ['idle', () => ready(2)],
    ['failed', () => running(2).take({ type: 'run-failed', fault: 'unexpected' })],
    ['terminated', () => counting().take({ type: 'terminate' })],
    [
      'completed',
      () => submitted(opened(running(1), 1), 1, 'accepted').take({ type: 'list-read', courses: list(1, [1]) }),
    ],
  ])('tells of no task in %s', (_, lead) => {
    expect(current(lead())).toEqual(nothing);
  });

  it('before the first course prepares', () => {
    expect(current(running(2))).toEqual({
      ...nothing,
      is_evaluating: true,
      progress_text: '准备中...',
      total_pending: 2,
    });
  });

  it('without a countdown tells the course', () => {
    const lead = running(2).take({ type: 'page-opening', key: key(1) });
    expect(current(lead)).toMatchObject({
      is_evaluating: true,
      course_name: '课程1',
      teacher_name: '教师1',
      progress_text: '正在评价(1/2): 课程1 - 教师1',
      countdown_seconds: 0,
      current_index: 0,
      total_pending: 2,
    });
  });

  it('counts from the whole wait down to one, and never above or below', () => {
    const lead = counting();
    expect(current(lead)).toMatchObject({ countdown_seconds: 140 });
    expect(current(lead.after(45_000))).toMatchObject({
      progress_text: '正在评价(1/2): 课程1 - 教师1 (倒计时: 95秒)',
      countdown_seconds: 95,
    });
    expect(current(lead.after(94_001))?.countdown_seconds).toBe(1);
    expect(current(lead.after(999))?.countdown_seconds).toBe(0);
    expect(current(lead.after(-200_000))?.countdown_seconds).toBe(140);
  });

  it('moves to the next course: finished ones count in both numbers, pending is that of the list', () => {
    const lead = submitted(opened(running(3), 1), 1, 'accepted').take({ type: 'list-read', courses: list(3, [1]) });
    lead.take({ type: 'page-opening', key: key(2) });
    expect(current(lead)).toMatchObject({
      progress_text: '正在评价(2/3): 课程2 - 教师2',
      current_index: 1,
      total_pending: 2,
    });
  });

  it('cuts a long name after 20 characters, and not inside one', () => {
    const long = { ...course(1), courseName: '𠮷'.repeat(21) };
    const lead = new Lead().take(
      { type: 'initialize' },
      { type: 'list-loaded', courses: [long] },
      { type: 'start', plan: 'sequential', timing: { waitMs: 1, pauseMs: 1, openEveryMs: 1 }, hasRoom: true },
      { type: 'page-opening', key: key(1) },
    );
    expect(current(lead)?.course_name).toBe(`${'𠮷'.repeat(20)}...`);
  });
});

describe('status', () => {
  it('tells times with their offset, counters and the whole list', () => {
    const lead = submitted(opened(running(2), 1), 1, 'refused').take({ type: 'list-read', courses: list(2, [2]) });
    expect(status(lead)).toMatchObject({
      status: 'completed',
      total_courses: 2,
      pending_courses: 1,
      success_count: 0,
      fail_count: 1,
      current_index: 1,
      current_countdown: 0,
      start_time: '2026-03-18T10:00:00+08:00',
      end_time: '2026-03-18T10:02:20+08:00',
      error_message: '1 门课程评价失败，可以重新初始化后再次评价',
    });
    expect(status(lead)?.course_list.map((each) => each.is_evaluated)).toEqual(['否', '是']);
  });

  it('words every step', () => {
    const lead = new Lead().take({ type: 'initialize' });
    const texts = [message(lead)];
    const note = (): void => void texts.push(message(lead));
    lead.take({ type: 'list-loaded', courses: list(2) });
    note();
    lead.take({
      type: 'start',
      plan: 'sequential',
      timing: { waitMs: 140_000, pauseMs: 3_000, openEveryMs: 1 },
      hasRoom: true,
    });
    note();
    lead.take({ type: 'page-opening', key: key(1) });
    note();
    lead.take({ type: 'page-opened', key: key(1) }).after(45_000);
    note();
    lead.after(95_000).take({ type: 'submission-begun', key: key(1) });
    note();
    lead.take({ type: 'submission-answered', key: key(1), outcome: 'accepted' });
    note();
    lead.take({ type: 'list-read', courses: list(2, [1]) });
    note();
    lead.take({ type: 'terminate' });
    note();
    expect(texts).toEqual([
      '正在获取课程列表...',
      '初始化完成，找到 2 门待评价课程',
      '',
      '正在处理第 1/2 门课程: 理论课',
      '服务器倒计时: 95 秒',
      '正在提交评价...',
      '正在更新课程列表...',
      '课程评价成功: 课程1',
      '任务已终止',
    ]);
  });

  it('tells of failed courses at the end only, and nothing where none failed', () => {
    const lead = running(3);
    for (const number of [1, 2]) {
      lead.take({ type: 'page-opening', key: key(number) });
      lead.take({ type: 'page-failed', key: key(number), fault: 'page_failed' });
    }
    expect(status(lead)).toMatchObject({ status: 'running', fail_count: 2, error_message: '' });
    lead.take({ type: 'terminate' });
    expect(status(lead)?.error_message).toBe('2 门课程评价失败，可以重新初始化后再次评价');
    expect(status(running(1).take({ type: 'terminate' }))?.error_message).toBe('');
  });

  it('tells of a submission whose outcome is unknown wherever a run ends, and not of one that never left', () => {
    const unknown = '有一门课程的提交结果未知，请以课程列表为准';
    const sending = () => opened(running(2), 1).take({ type: 'submission-begun', key: key(1) });
    const stopping = () => sending().take({ type: 'terminate' });
    const overdue = (lead: Lead) => lead.after(5_000).take({ type: 'stop-overdue' });
    expect(status(overdue(stopping()))).toMatchObject({ status: 'terminated', fail_count: 1, error_message: unknown });
    const crashed = sending().take({ type: 'interrupted' });
    const resumed = '评价任务异常: 评教曾经中断，请重新开始，已提交的课程仍然有效';
    expect(status(crashed)?.error_message).toBe(`${resumed}；${unknown}`);
    const unsent = stopping().take({ type: 'submission-answered', key: key(1), outcome: 'not-sent' });
    expect(status(overdue(unsent))?.error_message).toBe('1 门课程评价失败，可以重新初始化后再次评价');
  });

  it('of a crash while the list was loaded does not speak of what was submitted', () => {
    const lead = new Lead().take({ type: 'initialize' }, { type: 'interrupted' });
    expect(status(lead)?.error_message).toBe('初始化异常: 评教曾经中断，请重新开始');
  });

  it('after a failure tells the cause in fixed words', () => {
    const lead = running(1).take({ type: 'run-failed', fault: 'unexpected' });
    expect([message(lead), status(lead)?.error_message]).toEqual(Array(2).fill('评价任务异常: 服务内部错误'));
  });
});
