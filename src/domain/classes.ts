// What each member of a record holds, for recordings that hold no student's data (campus/recordings). Beside the records in
// one table, because most members mean the same wherever they stand.

/**
 * In the order in which they count where a text is several. `public`: terms, weeks, sessions and weekdays, and with `clock`
 * when classes and exams of the term are, which is no secret of a person. `left`: rows of a list, as the campus counts them.
 * `closed`: a code or word of few that the campus has. `own`: worked out here from other members, for the most part.
 */
const table = {
  id: 'student_id applicant_id children.UserNo',
  person:
    'studentFile.name teacher teachers applicant_name ChargeUserName CairmanName UserName ExamUserName flowData.UserName',
  course: 'course_name_cn course_name_en course_name courseName courses.name course.name',
  code: `course_code course_class course_sequence code sequence ID flagId parentId plan_number planId options.id
    project_id TypeID ClubID ProjectID ChairmanNo ChargeUserNo DepartCode department_code class_code major_code
    contentNumber staffNumber questionnaireCoding number score_type_code Ico ActivityID AddUserNo UserNo ExamUserNo
    room_code floor_code building_code`,
  place: 'campus building room location place area campus_name room_text room_display display_text room_name seat note',
  plan: 'label plan_name plan.name trainingPlan.name options.name',
  name: `college major class_name hint name project_name Title Name TypeName TypeAdoptResult ClubName
    PorjectName Desc DpeartName Contact Reason ReplyComment remark restriction for_classes department department_name
    category exam_name admission_ticket not_passed_reason course_type exam_type nature examType type selection_mode
    selection_status study_mode level grade status verification_status account_status card_status office terminal
    question title payment_type meter_name hint Value ExamComment FlowTypeName StateName VenueReserveData class_name
    major_name hintText teacherList.UserName`,
  mark: `score retake_score makeup_score score_number grade_name regular midterm final total class_average class_highest
    class_lowest averageScore`,
  amount: `credits unit hours gpa grade_point class_rank rank rankTotal coursesTaken coursesFailed coursesPending
    credits_taken courses passed failed regular_weight midterm_weight final_weight weight TotalScore Score bonus
    minCredits completedCredits categories.totalCourses categories.passedCourses categories.failedCourses
    subcategories.totalCourses subcategories.passedCourses subcategories.failedCourses missingRequiredCourses
    discipline_competition_credits scientific_research_credits transferable_competition_credits
    innovation_practice_credits ability_certification_credits other_project_credits capacity places_left students
    MemberNum PeopleNum PeopleNumMin expense income balance amount usage_amount remaining_purchased remaining_subsidy
    card.balance laborClub.finishedCount entry_year grades`,
  date: `exam_time award_date examDate AddTime StartTime EndTime SignUpStartTime SignUpEndTime SignTime ExamTime
    booked_at occurred_at purchased_at record_time payment_time`,
  ordinal: 'scorePage.sequence records.sequence allScores.sequence ShowNum order',
  left: 'total_count TotalItemCount total_rows evaluationCourses.total evaluationCourses.pending offerings.total offeringsOf.total class_total',
  public: `sections.semester term_id term_code calendarText.code term_name currentTerm academic_year academicYear season week weeks firstDay weekday
    firstSession sessionCount weekMask weekDescription totalWeeks totalSessions date dates session slots.name block page_size page_num PageSize CurrentPageIndex`,
  clock: 'startTime endTime time times length',
  closed: `is_current is_default open speaksOfEnd IsTypeAdopt IsAgree IsClose IsEnable IsJson IsJoin State flagType
    evaluated IsSign Type IsMust FieldType FlowType IsAdopt IsMember IsManager ApplyIsNeedExam
    evaluation.season page.code`,
  own: `choice.hint kind state source score_source completion.totalCourses completion.passedCourses completion.failedCourses completion.unreadCourses
    plan.major plan.grade trainingPlan.major trainingPlan.grade options.kind totalCredits group_index courses.level
    offerings.received offeringsOf.received
    chosenPlan.totalCourses chosenPlan.passedCourses chosenPlan.failedCourses chosenPlan.unreadCourses
    trainingPlan.totalCourses trainingPlan.passedCourses trainingPlan.failedCourses trainingPlan.unreadCourses`,
};

export type MemberClass = keyof typeof table;

/** In their order. */
export const memberClasses = Object.keys(table).map((name) => name as MemberClass);

const classes: ReadonlyMap<string, MemberClass> = new Map(
  memberClasses.flatMap((each) => table[each].split(/\s+/).map((name) => [name, each] as const)),
);

/**
 * Of a member below another one, or below the method of the port that read it. Null: the table does not have it, so nothing
 * is known of what a campus puts there, and a recording replaces it.
 */
export const classOf = (parent: string, member: string): MemberClass | null =>
  classes.get(`${parent}.${member}`) ?? classes.get(member) ?? null;
