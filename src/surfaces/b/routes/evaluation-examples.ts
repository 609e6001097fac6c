const key = '5f70bf18a086007016e948b0';

const course = {
  course_id: '01',
  course_name: '程序设计',
  teacher_name: '李四',
  is_evaluated: '否',
  evaluation_content: '程序设计',
  course_key: key,
  excluded: false,
};

export const listExample = [
  {
    id: { evaluatedPeople: 'T0012', coureSequenceNumber: '01', evaluationContentNumber: 'CS1001' },
    questionnaire: { questionnaireNumber: 'Q001', questionnaireName: '理论课评价' },
    evaluatedPeople: '李四',
    isEvaluated: '否',
    evaluationContent: '程序设计',
  },
];

export const initializedExample = { total_courses: 1, pending_courses: 1, course_list: [course] };

export const previewExample = {
  course_key: key,
  course_name: '程序设计',
  teacher_name: '李四',
  questionnaire_name: '理论课评价',
  ratings: [
    {
      key: '0000000180',
      question: '老师备课充分，按时上下课，教学投入',
      value: '5_1',
      choice: '非常同意',
    },
  ],
  comments: [
    {
      key: 'zgpj',
      question: '总体评价',
      text: '老师备课充分，讲解有条理，课后答疑及时，这门课收获很大',
    },
  ],
};

export const statusExample = {
  total_courses: 1,
  pending_courses: 1,
  success_count: 0,
  fail_count: 0,
  current_index: 0,
  status: 'running' as const,
  current_countdown: 95,
  start_time: '2025-06-20T10:15:30+08:00',
  end_time: null,
  error_message: '',
  course_list: [course],
  excluded_courses: 0,
};

export const currentExample = {
  is_evaluating: true,
  course_name: '程序设计',
  teacher_name: '李四',
  progress_text: '正在评价(1/1): 程序设计 - 李四 (倒计时: 95秒)',
  countdown_seconds: 95,
  current_index: 0,
  total_pending: 1,
};
