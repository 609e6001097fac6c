/** Answers for the interface document; fictional. */
export const scorePageExample = {
  page_size: 50,
  page_num: 1,
  total_count: 1,
  records: [
    {
      sequence: 1,
      term_id: '2024-2025-2-1',
      course_code: 'CS1001',
      course_class: '01',
      course_name_cn: '程序设计',
      course_name_en: 'Programming',
      credits: '3.0',
      hours: 48,
      course_type: '必修',
      exam_type: '考试',
      score: '92',
      retake_score: null,
      makeup_score: null,
    },
  ],
};

export const scheduleExample = {
  total_units: 3,
  time_slots: [
    { session: 1, session_name: '第一节', start_time: '0800', end_time: '0845', time_length: '45', djjc: 1 },
  ],
  courses: [
    {
      course_name: '程序设计',
      course_code: 'CS1001',
      course_sequence: '01',
      teacher_name: '李四',
      course_properties: '必修',
      exam_type: '考试',
      unit: 3,
      time_locations: [
        {
          class_day: 1,
          class_sessions: 1,
          continuing_session: 2,
          class_week: '111111111111111100000000',
          week_description: '1-16周',
          campus_name: '东校区',
          teaching_building_name: '教学楼A',
          classroom_name: '101',
        },
      ],
      is_no_schedule: false,
    },
  ],
  semester_info: { total_weeks: '24', week_description: '1-24周', total_sessions: '12', first_day: '1' },
};
