// Generated from docs/reference/openapi.json by `npm run documents`; not to be changed by hand.

export interface components {
    schemas: {
        /**
         * AcademicInfo
         * @description Academic summary of the student.
         */
        AcademicInfo: {
            /** @description Courses finished. */
            completed_courses: number;
            /** @description Courses failed. */
            failed_courses: number;
            /** @description Courses to take this term. */
            pending_courses: number;
            /** @description Grade point average. May come without a fraction: `1` for `1.0`. */
            gpa: number;
            /** @description Term code; empty when unknown. */
            current_term: string;
            /** @description e.g. `2025-2026春季学期`; the code itself for other terms. */
            current_term_name: string;
            /** @description Average mark, 0 to 100, as the campus has it, not rounded; null when it states none. May come without a fraction: `1` for `1.0`. */
            average_score: number | null;
            /** @description Place by average mark, 1 is best; null when the campus states none. */
            rank: number | null;
            /** @description Students ranked; null when the campus states none. It does not say which ones they are. */
            rank_total: number | null;
        };
        /**
         * AcademicInfoEnvelope
         * @description A success with its payload.
         */
        AcademicInfoEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["AcademicInfo"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * AccountDeletionRequest
         * @description Both passwords, as they are stored.
         */
        AccountDeletionRequest: {
            /** @description Password of the unified login. */
            password: string;
            /** @description Password of the VPN portal. */
            vpn_password: string;
        };
        /**
         * ActivityDetailData
         * @description An activity.
         */
        ActivityDetailData: {
            /** @description Id of the activity. */
            ID: string;
            /** @description Its title. */
            Title: string;
            /** @description Code of its state at the campus. */
            State: number;
            /** @description Address of its picture; null without one. */
            Ico: string | null;
            /** @description Id of its kind. */
            TypeID: string;
            /** @description Name of its kind. */
            TypeName: string;
            /** @description It begins; campus time as the campus writes it, empty when unknown. */
            StartTime: string;
            /** @description It ends; campus time as the campus writes it, empty when unknown. */
            EndTime: string;
            /** @description Number of the person in charge. */
            ChargeUserNo: string;
            /** @description Name of the person in charge. */
            ChargeUserName: string;
            /** @description Id of its club. */
            ClubID: string;
            /** @description Name of its club. */
            ClubName: string;
            /** @description People who signed up. */
            MemberNum: number;
            /** @description It was entered; campus time as the campus writes it, empty when unknown. */
            AddTime: string;
            /** @description Applications are examined. */
            ApplyIsNeedExam: boolean;
            /** @description The caller has signed up. */
            IsMember: boolean;
            /** @description The caller manages the activity. */
            IsManager: boolean;
            /** @description Places. */
            PeopleNum: number;
            /** @description Fewest people; null when not stated. */
            PeopleNumMin: number | null;
            /** @description It is closed; null when not stated. */
            IsClose: boolean | null;
            /** @description Sign-up begins; campus time as the campus writes it, empty when unknown. */
            SignUpStartTime: string;
            /** @description Sign-up ends; campus time as the campus writes it, empty when unknown. */
            SignUpEndTime: string;
        };
        /**
         * ActivityDetailResponse
         * @description All about one activity.
         */
        ActivityDetailResponse: {
            /** @description 0: found. Anything else: refused by the campus, and the rest is empty. */
            code: number;
            /** @description Null when refused. */
            data: components["schemas"]["ActivityDetailData"] | null;
            /** @description The place is the item named `活动地址`, `活动地点` or `地点`. */
            formData: components["schemas"]["FormField"][];
            /** @description Approval steps. */
            flowData: components["schemas"]["FlowData"][];
            /** @description Passed on as the campus sends it. */
            VenueReserveData: unknown[];
            /** @description Teachers of the activity. */
            teacherList: components["schemas"]["Teacher"][];
        };
        /**
         * ActivityDetailResponseEnvelope
         * @description What the campus decided, with its payload.
         */
        ActivityDetailResponseEnvelope: {
            /** @description False: the campus refused, `data.code` is not 0. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ActivityDetailResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * AdministrativeClass
         * @description An administrative class.
         */
        AdministrativeClass: {
            /** @description Code, for its timetable. */
            class_code: string;
            /** @description Name. */
            class_name: string;
            /** @description Department. */
            department_name: string;
            /** @description Major. */
            major_name: string;
        };
        /**
         * Alive
         * @description The process answers.
         */
        Alive: {
            /** @description Always `service is alive`. */
            message: string;
        };
        /**
         * AliveEnvelope
         * @description A success with its payload.
         */
        AliveEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["Alive"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * AuthMeResponse
         * @description Whose token it is.
         */
        AuthMeResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description Owner of the token. */
            userid: string;
        };
        /**
         * AuthMeResponseEnvelope
         * @description A success with its payload.
         */
        AuthMeResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["AuthMeResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * AvatarForm
         * @description A form with one file.
         */
        AvatarForm: {
            /**
             * Format: binary
             * @description The bytes of a JPEG or PNG.
             */
            avatar_update_request: string;
        };
        /**
         * AvatarMD5Response
         * @description Of the avatar in use.
         */
        AvatarMD5Response: {
            /** @description MD5 of the bytes that were uploaded, 32 lower-case hexadecimal digits. */
            md5: string;
        };
        /**
         * AvatarMD5ResponseEnvelope
         * @description A success with its payload.
         */
        AvatarMD5ResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["AvatarMD5Response"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * AvatarUpdateResponse
         * @description An image that waits for an update to name it.
         */
        AvatarUpdateResponse: {
            /** @description For updates within an hour, and for as long as the image is in use. */
            uuid: string;
            /** @description MD5 of the bytes that were uploaded, 32 lower-case hexadecimal digits. */
            md5: string;
        };
        /**
         * AvatarUpdateResponseEnvelope
         * @description A success with its payload.
         */
        AvatarUpdateResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["AvatarUpdateResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * AwardProject
         * @description An award that was declared.
         */
        AwardProject: {
            /** @description Declaration id. */
            project_id: string;
            /** @description Name of the competition or project. */
            project_name: string;
            /** @description School, province, national … */
            level: string;
            /** @description Prize. */
            grade: string;
            /** @description `YYYY/M/D`, not padded. */
            award_date: string;
            /** @description Student id of the person who declared it. */
            applicant_id: string;
            /** @description Name of the person who declared it. */
            applicant_name: string;
            /** @description Position among the participants. */
            order: number;
            /** @description Credits granted for it. May come without a fraction: `1` for `1.0`. */
            credits: number;
            /** @description Money, in yuan. May come without a fraction: `1` for `1.0`. */
            bonus: number;
            /** @description State of the declaration. */
            status: string;
            /** @description State of the review by the school. */
            verification_status: string;
        };
        /**
         * BackgroundImageForm
         * @description A form with one file.
         */
        BackgroundImageForm: {
            /**
             * Format: binary
             * @description The bytes of a JPEG or PNG.
             */
            background_image_upload: string;
        };
        /**
         * BindRoomRequest
         * @description The room to bind.
         */
        BindRoomRequest: {
            /** @description Room code. */
            room_id: string;
        };
        /**
         * BoundRoom
         * @description The room is bound.
         */
        BoundRoom: {
            /** @description Always true. */
            success: boolean;
        };
        /**
         * BoundRoomEnvelope
         * @description A success with its payload.
         */
        BoundRoomEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["BoundRoom"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * BrokenLimit
         * @description The limit that was broken.
         */
        BrokenLimit: {
            /** @description Smallest value. May come without a fraction: `1` for `1.0`. */
            ge?: number;
            /** @description Largest value. May come without a fraction: `1` for `1.0`. */
            le?: number;
            /** @description Fewest characters or items. */
            min_length?: number;
            /** @description Most characters or items. */
            max_length?: number;
            /** @description Regular expression of the form. */
            pattern?: string;
            /** @description The values to choose from. */
            expected?: string[];
        };
        /**
         * BuildingInfo
         * @description A building.
         */
        BuildingInfo: {
            /** @description Code of the campus; opaque. */
            code: string;
            /** @description Name, as the campus writes it. */
            name: string;
        };
        /**
         * BuildingListResponse
         * @description All buildings.
         */
        BuildingListResponse: {
            /** @description By code. */
            buildings: components["schemas"]["BuildingInfo"][];
            /** @description Length of `buildings`. */
            building_count: number;
            /** @description `YYYY-MM-DD HH:MM:SS`, campus time; when the list was read at the campus. */
            datetime: string;
        };
        /**
         * BuildingListResponseEnvelope
         * @description A success with its payload.
         */
        BuildingListResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["BuildingListResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * CacheBuildingData
         * @description A building with its floors.
         */
        CacheBuildingData: {
            /** @description Code of the campus; opaque. */
            code: string;
            /** @description Name, as the campus writes it. */
            name: string;
            /** @description By code. */
            floors: components["schemas"]["CacheFloorData"][];
        };
        /**
         * CacheFloorData
         * @description A floor with its rooms.
         */
        CacheFloorData: {
            /** @description Code of the campus; opaque. */
            code: string;
            /** @description Name, as the campus writes it. */
            name: string;
            /** @description In the order of the campus; may be empty. */
            rooms: components["schemas"]["RoomInfo"][];
        };
        /**
         * CacheRoomsData
         * @description Buildings with their floors and rooms.
         */
        CacheRoomsData: {
            /** @description `YYYY-MM-DD HH:MM:SS`, campus time; when the list was read at the campus. */
            datetime: string;
            /** @description By code. */
            data: components["schemas"]["CacheBuildingData"][];
        };
        /**
         * CacheRoomsDataEnvelope
         * @description A success with its payload.
         */
        CacheRoomsDataEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["CacheRoomsData"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * Campus
         * @description The campus behind this service, and what of it can be asked.
         */
        Campus: {
            /** @description Name of its description; `custom` where it has none. */
            id: string;
            name: components["schemas"]["CampusName"];
            /** @description IANA time zone of dates and times in answers. */
            time_zone: string;
            /** @description What it supplies, in alphabetical order. An operation that needs more (`x-capabilities` in the document) answers 501 `NOT_OFFERED`. */
            capabilities: string[];
            /** @description The same in the same order. */
            supplied: components["schemas"]["CampusSupplied"][];
            /**
             * @description Who signs in when a session at the campus ends. `unattended`: the service does, with the stored passwords. `attended`: every login shows an image, so the service cannot; calls then answer from copies or 403 `PERSON_NEEDED` until the student has signed in by `POST /auth/challenges` or a login.
             * @enum {string}
             */
            sign_in: "unattended" | "attended";
            login: components["schemas"]["CampusLogin"];
        };
        /**
         * CampusEnvelope
         * @description A success with its payload.
         */
        CampusEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["Campus"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * CampusLogin
         * @description What a login takes.
         */
        CampusLogin: {
            /** @description In the order in which people are asked for them. */
            fields: components["schemas"]["CampusLoginField"][];
            /** @description Second steps that the campus may want. */
            challenges: string[];
        };
        /**
         * CampusLoginField
         * @description A member of the bodies of login and registration.
         */
        CampusLoginField: {
            /** @description Name of the member. */
            name: string;
            /** @description Not to be shown while it is typed. */
            secret: boolean;
        };
        /**
         * CampusName
         * @description What people call it.
         */
        CampusName: {
            /** @description In Chinese. */
            zh: string;
            /** @description In English. */
            en: string;
        };
        /**
         * CampusSupplied
         * @description One of them, and what is known of it.
         */
        CampusSupplied: {
            /** @description Area and read or write. */
            capability: string;
            /** @description The driver that supplies it. */
            product: string;
            /** @description Month of the newest recording of a real campus that is read with it, by what its sender says; null: no recording has shown it yet. */
            proven: string | null;
        };
        /**
         * CardBalance
         * @description What is on the campus card.
         */
        CardBalance: {
            /** @description Balance of the campus card in yuan; may be negative. May come without a fraction: `1` for `1.0`. */
            balance: number;
            /** @description State of the account, as the campus writes it; null unless asked for, or where it is blank. */
            account_status: string | null;
            /** @description State of the card, e.g. `正常` or `挂失`; null unless asked for, or where it is blank. */
            card_status: string | null;
        };
        /**
         * CardBalanceEnvelope
         * @description A success with its payload.
         */
        CardBalanceEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["CardBalance"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * CardPurchase
         * @description Electricity that was bought with the campus card.
         */
        CardPurchase: {
            /** @description Campus or quarter of the room. */
            area: string;
            /** @description Room. */
            room: string;
            /** @description What was paid; null where the campus states none. May come without a fraction: `1` for `1.0`. */
            amount: number | null;
            /** @description When, as the campus writes it. */
            purchased_at: string;
            /** @description Where it was bought. */
            office: string;
        };
        /**
         * CardPurchaseTotals
         * @description Sums of the rows shown.
         */
        CardPurchaseTotals: {
            /** @description Paid, in yuan. May come without a fraction: `1` for `1.0`. */
            amount: number;
            /** @description Rows. */
            count: number;
            /**
             * @description These sums are made by this service, of the rows shown.
             * @constant
             */
            computed_by: "gateway";
        };
        /**
         * CardPurchases
         * @description Electricity bought with the campus card in some days.
         */
        CardPurchases: {
            /** @description First day, as asked for. */
            from: string;
            /** @description Last day, as asked for. */
            to: string;
            totals: components["schemas"]["CardPurchaseTotals"];
            /** @description In the order of the campus. */
            records: components["schemas"]["CardPurchase"][];
        };
        /**
         * CardPurchasesEnvelope
         * @description A success with its payload.
         */
        CardPurchasesEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["CardPurchases"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * CardTotals
         * @description Sums of the rows shown.
         */
        CardTotals: {
            /** @description Paid, in yuan. May come without a fraction: `1` for `1.0`. */
            expense: number;
            /** @description Paid in, in yuan. May come without a fraction: `1` for `1.0`. */
            income: number;
            /** @description Rows. */
            count: number;
            /**
             * @description These sums are made by this service, of the rows shown.
             * @constant
             */
            computed_by: "gateway";
        };
        /**
         * CardTransaction
         * @description A transaction of the campus card. Times are as the campus writes them.
         */
        CardTransaction: {
            /** @description When it was booked. */
            booked_at: string;
            /** @description When it took place. */
            occurred_at: string;
            /** @description What was paid; null where there is none. May come without a fraction: `1` for `1.0`. */
            expense: number | null;
            /** @description What was paid in; null where there is none. May come without a fraction: `1` for `1.0`. */
            income: number | null;
            /** @description E.g. `食堂消费`. */
            type: string;
            /** @description Balance behind it; null where the campus states none. May come without a fraction: `1` for `1.0`. */
            balance: number | null;
            /** @description Where. */
            place: string;
            /** @description Terminal. */
            terminal: string;
        };
        /**
         * CardTransactions
         * @description Transactions of the campus card in some days.
         */
        CardTransactions: {
            /** @description First day, as asked for. */
            from: string;
            /** @description Last day, as asked for. */
            to: string;
            totals: components["schemas"]["CardTotals"];
            /** @description In the order of the campus. */
            records: components["schemas"]["CardTransaction"][];
        };
        /**
         * CardTransactionsEnvelope
         * @description A success with its payload.
         */
        CardTransactionsEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["CardTransactions"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ChallengeAnswerRequest
         * @description What the student has read off.
         */
        ChallengeAnswerRequest: {
            /** @description The characters of the image (1 to 8), the code of the message (4 to 8 digits), the one-time password. */
            answer: string;
        };
        /**
         * ChallengeAnswered
         * @description The login is complete.
         */
        ChallengeAnswered: {
            /** @description Bearer token, as the login or registration would have answered it; null where a session was renewed, whose token goes on. */
            token: string | null;
        };
        /**
         * ChallengeAnsweredEnvelope
         * @description A success with its payload.
         */
        ChallengeAnsweredEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ChallengeAnswered"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ChallengeSendRequest
         * @description Where a code is to be sent.
         */
        ChallengeSendRequest: {
            /** @description `index` of one of `targets`, where there are several. */
            target?: number;
        };
        /**
         * ChallengeState
         * @description A challenge as it is now.
         */
        ChallengeState: {
            /** @description Null: nothing is to be answered. */
            challenge: components["schemas"]["LoginChallenge"] | null;
        };
        /**
         * ChallengeStateEnvelope
         * @description A success with its payload.
         */
        ChallengeStateEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ChallengeState"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ChallengeTarget
         * @description A phone that a code can be sent to.
         */
        ChallengeTarget: {
            /** @description What `send` wants as `target`. */
            index: number;
            /** @description Masked number. */
            label: string;
        };
        /**
         * ChangeEvent
         * @description One change. It holds names and ids, and never a mark.
         */
        ChangeEvent: {
            /** @description Its place among the events of the student, from 1. */
            seq: number;
            /** @description The same in every place that tells this event. */
            id: string;
            type: components["schemas"]["EventType"];
            /** @description What it is in Chinese, for a notification. */
            title: string;
            /** @description When this service saw it, campus time. */
            occurred_at: string;
            /** @description Start of the reading that showed it, campus time; null: no reading did. */
            read_at: string | null;
            about: components["schemas"]["EventAbout"];
            /** @description Path of the read that shows it: a copy is there already. Null: none. */
            ask: string | null;
        };
        /**
         * ClassDepartment
         * @description A department.
         */
        ClassDepartment: {
            /** @description Code. */
            department_code: string;
            /** @description Name. */
            department_name: string;
        };
        /**
         * ClassFilters
         * @description By what administrative classes can be looked up.
         */
        ClassFilters: {
            /** @description As the campus orders them. */
            terms: components["schemas"]["ClassTerm"][];
            /** @description As the campus orders them; never empty. */
            departments: components["schemas"]["ClassDepartment"][];
            /** @description Years of entry; empty where the campus names none. */
            grades: string[];
        };
        /**
         * ClassFiltersEnvelope
         * @description A success with its payload.
         */
        ClassFiltersEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ClassFilters"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ClassMajor
         * @description A major of a department.
         */
        ClassMajor: {
            /** @description Code. */
            major_code: string;
            /** @description Name. */
            major_name: string;
        };
        /**
         * ClassMajorListEnvelope
         * @description A success with its payload.
         */
        ClassMajorListEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description As the campus orders them. */
            data: components["schemas"]["ClassMajor"][];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ClassPage
         * @description A page of administrative classes.
         */
        ClassPage: {
            /** @description Classes of all pages. */
            total_count: number;
            /** @description As asked. */
            page_index: number;
            /** @description Pages of 500. */
            page_count: number;
            /** @description In the order of the campus. */
            classes: components["schemas"]["AdministrativeClass"][];
        };
        /**
         * ClassPageEnvelope
         * @description A success with its payload.
         */
        ClassPageEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ClassPage"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ClassSchedule
         * @description The timetable of an administrative class.
         */
        ClassSchedule: {
            /** @description As asked. */
            term_code: string;
            /** @description As asked. */
            class_code: string;
            /** @description Start of the reading, `YYYY-MM-DD HH:MM:SS`. */
            read_at: string;
            /** @description Empty for a class without courses, and for one that the campus does not know. */
            courses: components["schemas"]["ClassScheduleCourse"][];
        };
        /**
         * ClassScheduleCourse
         * @description A course of the class. `course_properties` is empty: the campus does not tell it.
         */
        ClassScheduleCourse: {
            /** @description Course. */
            course_name: string;
            /** @description Course number at the campus. */
            course_code: string;
            /** @description Class number. */
            course_sequence: string;
            /** @description Several names are joined with one blank. */
            teacher_name: string;
            /** @description Empty. */
            course_properties: string;
            /** @description Kind of examination, e.g. `考试`. */
            exam_type: string;
            /** @description Credits. May come without a fraction: `1` for `1.0`. */
            unit: number;
            /** @description When and where; empty without a concrete time. */
            time_locations: components["schemas"]["CourseTimeLocation"][];
            /** @description True: the course has no concrete time. */
            is_no_schedule: boolean;
        };
        /**
         * ClassScheduleEnvelope
         * @description A success with its payload.
         */
        ClassScheduleEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ClassSchedule"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ClassTerm
         * @description A term with timetables of classes.
         */
        ClassTerm: {
            /** @description Term code. */
            term_code: string;
            /** @description Name of the term. */
            term_name: string;
            /** @description The campus shows it first. */
            is_default: boolean;
        };
        /**
         * ClientImageMD5Response
         * @description Of the background in use.
         */
        ClientImageMD5Response: {
            /** @description MD5 of the bytes that were uploaded, 32 lower-case hexadecimal digits. */
            md5: string;
        };
        /**
         * ClientImageMD5ResponseEnvelope
         * @description A success with its payload.
         */
        ClientImageMD5ResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ClientImageMD5Response"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ClientImageUploadResponse
         * @description An image that waits for an update to name it.
         */
        ClientImageUploadResponse: {
            /** @description For updates within an hour, and for as long as the image is in use. */
            uuid: string;
            /** @description MD5 of the bytes that were uploaded, 32 lower-case hexadecimal digits. */
            md5: string;
        };
        /**
         * ClientImageUploadResponseEnvelope
         * @description A success with its payload.
         */
        ClientImageUploadResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ClientImageUploadResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ClientProfileResponse
         * @description The theme of the client.
         */
        ClientProfileResponse: {
            /** @description Dark mode is on. */
            dark_mode: boolean;
            /** @description Light mode: 0 transparent, 1 opaque. May come without a fraction: `1` for `1.0`. */
            light_mode_opacity: number;
            /** @description Light mode: 0 dark, 1 bright. May come without a fraction: `1` for `1.0`. */
            light_mode_brightness: number;
            /** @description Works for an hour, and is another one in every answer; empty: no image. */
            light_mode_background_url: string;
            /** @description Light mode: blur of the background, 0 to 100. May come without a fraction: `1` for `1.0`. */
            light_mode_blur: number;
            /** @description Dark mode: 0 transparent, 1 opaque. May come without a fraction: `1` for `1.0`. */
            dark_mode_opacity: number;
            /** @description Dark mode: 0 dark, 1 bright. May come without a fraction: `1` for `1.0`. */
            dark_mode_brightness: number;
            /** @description Works for an hour, and is another one in every answer; empty: no image. */
            dark_mode_background_url: string;
            /** @description Dark mode: blur of the background, 0 to 100. May come without a fraction: `1` for `1.0`. */
            dark_mode_background_blur: number;
        };
        /**
         * ClientProfileResponseEnvelope
         * @description A success with its payload.
         */
        ClientProfileResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ClientProfileResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ClientProfileUpdateRequest
         * @description At least one member; null is the same as left out. `false`, `0` and the empty text are values.
         */
        ClientProfileUpdateRequest: {
            /** @description Dark mode is on. */
            dark_mode?: boolean | null;
            /** @description Light mode: 0 transparent, 1 opaque. May come without a fraction: `1` for `1.0`. */
            light_mode_opacity?: number | null;
            /** @description Light mode: 0 dark, 1 bright. May come without a fraction: `1` for `1.0`. */
            light_mode_brightness?: number | null;
            /** @description Light mode: blur of the background. May come without a fraction: `1` for `1.0`. */
            light_mode_blur?: number | null;
            /** @description Id from the upload of a background; empty: removed. */
            light_mode_background_uuid?: string | null;
            /** @description Dark mode: 0 transparent, 1 opaque. May come without a fraction: `1` for `1.0`. */
            dark_mode_opacity?: number | null;
            /** @description Dark mode: 0 dark, 1 bright. May come without a fraction: `1` for `1.0`. */
            dark_mode_brightness?: number | null;
            /** @description Dark mode: blur of the background. May come without a fraction: `1` for `1.0`. */
            dark_mode_background_blur?: number | null;
            /** @description Id from the upload of a background; empty: removed. */
            dark_mode_background_uuid?: string | null;
        };
        /**
         * CommentAnswer
         * @description A comment.
         */
        CommentAnswer: {
            /** @description `key` of the question. */
            key: string;
            /** @description What is to be sent; blanks are taken out of it. */
            text: string;
        };
        /**
         * CompetitionFullResponse
         * @description Awards and the credits they count for.
         */
        CompetitionFullResponse: {
            /** @description As the campus page states it. */
            student_id: string;
            /** @description Length of `awards`. */
            total_awards_count: number;
            /** @description In the order of the campus. */
            awards: components["schemas"]["AwardProject"][];
            /** @description Credits by kind; null where the campus page has no summary. */
            credits_summary: components["schemas"]["CreditsSummary"] | null;
        };
        /**
         * CompetitionFullResponseEnvelope
         * @description A success with its payload.
         */
        CompetitionFullResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["CompetitionFullResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * Course
         * @description A course to evaluate.
         */
        Course: {
            /** @description Identifiers; null where the campus sends none. */
            id: components["schemas"]["CourseId"] | null;
            /** @description What is filled in; null where the campus sends none. */
            questionnaire: components["schemas"]["Questionnaire"] | null;
            /** @description Name of the teacher. */
            evaluatedPeople: string;
            /** @description `是` is done; anything else, also empty, is pending. */
            isEvaluated: string;
            /** @description Course name. */
            evaluationContent: string;
            /** @description What the course is called here: opaque, unique within the list, the same after every refresh. */
            course_key: string;
        };
        /**
         * CourseId
         * @description What identifies a course to evaluate.
         */
        CourseId: {
            /** @description Number of the person evaluated, not a name. */
            evaluatedPeople: string;
            /** @description Course sequence number. */
            coureSequenceNumber: string;
            /** @description Course number. */
            evaluationContentNumber: string;
        };
        /**
         * CourseInfo
         * @description A course of the evaluation task.
         */
        CourseInfo: {
            /** @description Sequence number; not unique. */
            course_id: string;
            /** @description Course. */
            course_name: string;
            /** @description Teacher. */
            teacher_name: string;
            /** @description `是` or `否`, as the campus writes it. */
            is_evaluated: string;
            /** @description Same as `course_name`. */
            evaluation_content: string;
            /** @description What the course is called here: opaque, unique within the list, the same after every refresh. */
            course_key: string;
            /** @description This run leaves it alone, or the next one unless its start says otherwise. */
            excluded: boolean;
        };
        /**
         * CourseListEnvelope
         * @description A success with its payload.
         */
        CourseListEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description The list of the campus, evaluated courses included; empty while the season is over. */
            data: components["schemas"]["Course"][];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * CourseSelectionStatus
         * @description Whether courses can be chosen.
         */
        CourseSelectionStatus: {
            /** @description Courses can be chosen at the moment. */
            can_select: boolean;
        };
        /**
         * CourseSelectionStatusEnvelope
         * @description A success with its payload.
         */
        CourseSelectionStatusEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["CourseSelectionStatus"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * CourseTimeLocation
         * @description When and where a course takes place.
         */
        CourseTimeLocation: {
            /** @description Weekday; 1 is Monday, 7 Sunday. (`weekday` of the current term counts from 0.) */
            class_day: number;
            /** @description First session. */
            class_sessions: number;
            /** @description Number of consecutive sessions. */
            continuing_session: number;
            /** @description Week mask; the first character is week 1. */
            class_week: string;
            /** @description E.g. `1-16周`. */
            week_description: string;
            /** @description Campus. */
            campus_name: string;
            /** @description Building. */
            teaching_building_name: string;
            /** @description Room. */
            classroom_name: string;
        };
        /**
         * CreatedFeed
         * @description A calendar feed with its address.
         */
        CreatedFeed: {
            /** @description Names the feed; of no use for reading it. */
            id: string;
            /** @description What calendar programs call it. */
            name: string;
            /** @description What it holds, each once: `classes` of the current term, `exams`, `activities` of the labor club that were joined and the ends of their sign-up. */
            include: ("classes" | "exams" | "activities")[];
            /** @description Minutes before the beginning at which programs remind of it; null: never. */
            alarm_minutes: number | null;
            /** @description In campus time. */
            created_at: string;
            /** @description The address to subscribe to. It is a secret, and shown this once. */
            url: string;
        };
        /**
         * CreatedFeedEnvelope
         * @description A success with its payload.
         */
        CreatedFeedEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["CreatedFeed"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * CreditCategory
         * @description A category of the activity score with its items.
         */
        CreditCategory: {
            /** @description Id at the campus. */
            ID: string;
            /** @description Number to show. */
            ShowNum: number;
            /** @description The category. */
            TypeName: string;
            /** @description Sum of its items. May come without a fraction: `1` for `1.0`. */
            TotalScore: number;
            /** @description Its items. */
            children: components["schemas"]["CreditItem"][];
        };
        /**
         * CreditCategoryListEnvelope
         * @description A success with its payload.
         */
        CreditCategoryListEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description All categories. */
            data: components["schemas"]["CreditCategory"][];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * CreditInfo
         * @description The total of the activity score.
         */
        CreditInfo: {
            /** @description The total, as the campus has computed it. May come without a fraction: `1` for `1.0`. */
            TotalScore: number;
            /** @description The requirement for graduation is met. */
            IsTypeAdopt: boolean;
            /** @description Why it is not met. */
            TypeAdoptResult: string;
        };
        /**
         * CreditInfoEnvelope
         * @description A success with its payload.
         */
        CreditInfoEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["CreditInfo"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * CreditItem
         * @description An item of the activity score.
         */
        CreditItem: {
            /** @description Id at the campus. */
            ID: string;
            /** @description The activity. */
            Title: string;
            /** @description Its category. */
            TypeName: string;
            /** @description Student number. */
            UserNo: string;
            /** @description Points. May come without a fraction: `1` for `1.0`. */
            Score: number;
            /** @description As the campus writes it: `2024-03-15 10:30:00` or `2024/09/02`. */
            AddTime: string;
        };
        /**
         * CreditsSummary
         * @description Null where the campus states no number.
         */
        CreditsSummary: {
            /** @description Credits of subject competitions. May come without a fraction: `1` for `1.0`. */
            discipline_competition_credits: number | null;
            /** @description Credits of research. May come without a fraction: `1` for `1.0`. */
            scientific_research_credits: number | null;
            /** @description Credits of competitions that count for courses. May come without a fraction: `1` for `1.0`. */
            transferable_competition_credits: number | null;
            /** @description Credits of innovation practice. May come without a fraction: `1` for `1.0`. */
            innovation_practice_credits: number | null;
            /** @description Credits of certificates of ability. May come without a fraction: `1` for `1.0`. */
            ability_certification_credits: number | null;
            /** @description Credits of other projects. May come without a fraction: `1` for `1.0`. */
            other_project_credits: number | null;
        };
        /**
         * CurrentCourse
         * @description The course that is being evaluated.
         */
        CurrentCourse: {
            /** @description True exactly while the task is `running`. */
            is_evaluating: boolean;
            /** @description At most 20 characters, then `...`. */
            course_name: string;
            /** @description Teacher. */
            teacher_name: string;
            /** @description For people. */
            progress_text: string;
            /** @description Seconds until this course is submitted. */
            countdown_seconds: number;
            /** @description -1: no current course. */
            current_index: number;
            /** @description Courses not evaluated yet. */
            total_pending: number;
        };
        /**
         * CurrentCourseEnvelope
         * @description A success with its payload.
         */
        CurrentCourseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description Null without a task. */
            data: components["schemas"]["CurrentCourse"] | null;
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * CurrentRoomResponse
         * @description The room that is bound.
         */
        CurrentRoomResponse: {
            /** @description Empty when no room is bound. */
            room_code: string;
            /** @description `<building>/<floor>/<room>`; the name alone for a room that is not in the list; empty when unbound. */
            display_text: string;
        };
        /**
         * CurrentRoomResponseEnvelope
         * @description A success with its payload.
         */
        CurrentRoomResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["CurrentRoomResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * CurrentScore
         * @description A score of this term.
         */
        CurrentScore: {
            /** @description Term code, the `term_code` of the list of terms. */
            term_id: string;
            /** @description Course number at the campus. */
            course_code: string;
            /** @description Class number. */
            course_class: string;
            /** @description Course name in Chinese. */
            course_name_cn: string;
            /** @description Course name in English; may be empty. */
            course_name_en: string;
            /** @description Credits as text. */
            credits: string;
            /** @description Teaching hours. */
            hours: number;
            /** @description Kind of course, e.g. `必修`. */
            course_type: string;
            /** @description Kind of examination, e.g. `考试`. */
            exam_type: string;
            /** @description A number or a word grade; empty before it is published. */
            score: string;
            /** @description A code of the campus. Send it back unchanged, blanks included, to ask for the components. */
            exam_time: string;
            /** @description There is a score. */
            is_published: boolean;
            /** @description Grade point of the score; null where the campus sends none. */
            grade_point: string | null;
            /** @description Average of the class; null where the campus sends none. */
            class_average: string | null;
            /** @description Highest score of the class; null where the campus sends none. */
            class_highest: string | null;
            /** @description Lowest score of the class; null where the campus sends none. */
            class_lowest: string | null;
            /** @description Place in the class, e.g. `3/78`; null where the campus sends none. */
            class_rank: string | null;
        };
        /**
         * CurrentScoreDetail
         * @description What a score of this term is made of.
         */
        CurrentScoreDetail: {
            /** @description As asked. */
            term_code: string;
            /** @description As asked. */
            course_code: string;
            /** @description As asked. */
            course_class: string;
            /** @description As asked. */
            exam_time: string;
            /** @description Empty for a score that is not published, and for one that the campus does not know. */
            items: components["schemas"]["ScoreComponent"][];
        };
        /**
         * CurrentScoreDetailEnvelope
         * @description A success with its payload.
         */
        CurrentScoreDetailEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["CurrentScoreDetail"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * CurrentScoreResponse
         * @description The scores of this term.
         */
        CurrentScoreResponse: {
            /** @description Length of `records`. */
            total_count: number;
            /** @description In the order of the campus. */
            records: components["schemas"]["CurrentScore"][];
        };
        /**
         * CurrentScoreResponseEnvelope
         * @description A success with its payload.
         */
        CurrentScoreResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["CurrentScoreResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * CurrentTermInfo
         * @description The current term and week.
         */
        CurrentTermInfo: {
            /** @description `YYYY-YYYY` */
            academic_year: string;
            /** @description `秋`, `春` or `夏`, in words for people; empty where the campus names none. Operations take `term_code`. */
            current_term_name: string;
            /** @description Teaching week; 0 is outside teaching weeks. */
            week_number: number;
            /** @description First day of the term, `YYYY-MM-DD`. */
            start_at: string;
            /** @description The term is ending. */
            is_end: boolean;
            /** @description Of today at the campus; 0 is Monday, 6 Sunday. (`class_day` of timetables counts from 1.) */
            weekday: number;
            /** @description Code of the term, as the list of terms has it. Null where the campus names no term, or one that its list does not have. */
            term_code: string | null;
        };
        /**
         * CurrentTermInfoEnvelope
         * @description A success with its payload.
         */
        CurrentTermInfoEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["CurrentTermInfo"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * Done
         * @description It is done.
         */
        Done: {
            /** @description Always true. */
            success: boolean;
        };
        /**
         * DoneEnvelope
         * @description A success with its payload.
         */
        DoneEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["Done"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ElectricityBalance
         * @description What is left, in kWh.
         */
        ElectricityBalance: {
            /** @description kWh; negative when overdrawn. May come without a fraction: `1` for `1.0`. */
            remaining_purchased: number;
            /** @description kWh; 0 for dormitories without a subsidy. May come without a fraction: `1` for `1.0`. */
            remaining_subsidy: number;
        };
        /**
         * ElectricityUsageRecord
         * @description Electricity used.
         */
        ElectricityUsageRecord: {
            /** @description As the campus prints it, normally `YYYY-MM-DD HH:MM:SS`. */
            record_time: string;
            /** @description kWh May come without a fraction: `1` for `1.0`. */
            usage_amount: number;
            /** @description A room may have several meters; empty when not stated. */
            meter_name: string;
        };
        /**
         * ErrorCode
         * @description What failed, for programs. New ones may be added.
         * @enum {string}
         */
        ErrorCode: "INVALID_AUTHENTICATION" | "INSUFFICIENT_SCOPE" | "LOGIN_AGAIN" | "FORBIDDEN" | "USER_NEED_RESET_PASSWORD" | "PERSON_NEEDED" | "LOGIN_CHALLENGE" | "CHALLENGE_BUSY" | "CHALLENGE_NEEDLESS" | "CREDENTIALS_INVALID" | "REMOTE_CREDENTIALS_INVALID" | "INVITE_CODE_INVALID" | "TOKEN_INVALID" | "USERID_EXISTS" | "TOKEN_LIMIT" | "TOKEN_REPLACED" | "HOOK_LIMIT" | "FEED_LIMIT" | "EC_PASSWORD_ERROR" | "UAAP_PASSWORD_ERROR" | "EC_SERVER_ERROR" | "UAAP_SERVER_ERROR" | "REGISTER_IN_COOLDOWN" | "COOLDOWN" | "NEED_ONE_MORE_FIELD" | "PROFILE_NOT_FOUND" | "RESOURCE_EXPIRED" | "TOO_LARGE_IMAGE" | "MIMETYPE_NOT_ALLOWED" | "UNBOUND_ROOM" | "ROOM_NOT_FOUND" | "PLAN_NOT_FOUND" | "EMPTY_PATH" | "VALIDATION_ERROR" | "REMOTE_SERVICE_ERROR" | "NULL_RESPONSE" | "NOT_OFFERED" | "NO_COPY" | "TIMEOUT" | "SERVER_ERROR" | "UNKNOWN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "BODY_TOO_SLOW" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "SERVICE_UNAVAILABLE" | "COURSE_NOT_FOUND" | "EVALUATION_CONFLICT" | "EVALUATION_CLOSED" | "EVALUATION_EMPTY";
        /**
         * ErrorModel
         * @description What failed.
         */
        ErrorModel: {
            /** @description Text for people. */
            message: string;
            code: components["schemas"]["ErrorCode"];
            /** @description Also in the header `X-Trace-Id`. */
            trace_id: string;
            /** @description The same call, sent once more after `Retry-After` or a few seconds, may succeed and does no harm. */
            retryable: boolean;
            system?: components["schemas"]["FailedSystem"];
            reason?: components["schemas"]["FailureReason"];
        };
        /**
         * EstimatedCategory
         * @description What the scores say about a category of the plan.
         */
        EstimatedCategory: {
            /** @description Which category. */
            category_id: string;
            /** @description Courses passed, those of subcategories included. */
            passed_courses: number;
            /** @description Courses not passed, those of subcategories included. */
            failed_courses: number;
            /** @description Credits passed, those of subcategories included. May come without a fraction: `1` for `1.0`. */
            completed_credits: number;
        };
        /**
         * EstimatedCourse
         * @description What the scores say about a course of the plan.
         */
        EstimatedCourse: {
            /** @description Which course of the plan. */
            flag_id: string;
            /** @description Id of the node above it. */
            parent_id: string;
            /** @description Course number, the same in plan and scores. */
            course_code: string;
            /** @description Its mark passes. */
            is_passed: boolean;
            /** @description `已通过` or `未通过`. */
            status_description: string;
            /** @description The mark that counted: the best one of this course. */
            score: string;
            /** @description Where it stood: `retake_score`, `makeup_score` or `score`. */
            score_source: string;
            /** @description Term of that mark. */
            term_id: string;
            /** @description Credits; null when neither plan nor score states them. May come without a fraction: `1` for `1.0`. */
            credits: number | null;
            /** @description `plan` or `score`; null without credits. */
            credits_source: string | null;
        };
        /**
         * EvaluationAnswers
         * @description Those of the preview with other values; its other members mean nothing here.
         */
        EvaluationAnswers: {
            /** @description One for each question, in the order of the preview. */
            ratings: components["schemas"]["RatingAnswer"][];
            /** @description One for each question, in the order of the preview. */
            comments: components["schemas"]["CommentAnswer"][];
        };
        /**
         * EvaluationConflictEnvelope
         * @description A failure; `message` repeats `error.message`.
         */
        EvaluationConflictEnvelope: {
            /** @description Always false. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["TaskOperation"];
            error: components["schemas"]["ErrorModel"];
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * EvaluationEditRequest
         * @description Answers of a student's own for one course.
         */
        EvaluationEditRequest: {
            /** @description `course_key` of a course in `course_list`. */
            course_key: string;
            answers: components["schemas"]["EvaluationAnswers"];
        };
        /**
         * EvaluationInitialized
         * @description The list of an evaluation task.
         */
        EvaluationInitialized: {
            /** @description Courses in the list. */
            total_courses: number;
            /** @description Courses not evaluated yet. */
            pending_courses: number;
            /** @description The full list, evaluated courses included. */
            course_list: components["schemas"]["CourseInfo"][];
        };
        /**
         * EvaluationInitializedEnvelope
         * @description A success with its payload.
         */
        EvaluationInitializedEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["EvaluationInitialized"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * EvaluationPreview
         * @description The answers that the run will send for a course.
         */
        EvaluationPreview: {
            /** @description What the course is called here: opaque, unique within the list, the same after every refresh. */
            course_key: string;
            /** @description Course. */
            course_name: string;
            /** @description Teacher. */
            teacher_name: string;
            /** @description Questionnaire. */
            questionnaire_name: string;
            /** @description In the order of the page. */
            ratings: components["schemas"]["PreviewedRating"][];
            /** @description In the order of the page. */
            comments: components["schemas"]["PreviewedComment"][];
        };
        /**
         * EvaluationPreviewEnvelope
         * @description A success with its payload.
         */
        EvaluationPreviewEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["EvaluationPreview"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * EvaluationStartRequest
         * @description Which courses a run takes: one of the two members, or none, which leaves out what is shown as `excluded`.
         */
        EvaluationStartRequest: {
            /** @description `course_key` of each course that this run leaves alone. Evaluated ones may be named. */
            exclude?: string[];
            /** @description `course_key` of each course that this run takes. Evaluated ones are left out without a word. */
            only?: string[];
        };
        /**
         * EvaluationStatus
         * @description State and counts of the evaluation task.
         */
        EvaluationStatus: {
            /** @description Courses in the latest list. */
            total_courses: number;
            /** @description Courses of the latest list not evaluated yet. */
            pending_courses: number;
            /** @description Courses evaluated by this run. */
            success_count: number;
            /** @description Courses that this run could not evaluate. */
            fail_count: number;
            /** @description Attempts that have ended: place of the current one, from 0. */
            current_index: number;
            status: components["schemas"]["TaskStatusEnum"];
            /** @description Seconds until the current course is submitted. */
            current_countdown: number;
            /**
             * Format: date-time
             * @description Begin of the run.
             */
            start_time: string | null;
            /**
             * Format: date-time
             * @description End of the run.
             */
            end_time: string | null;
            /** @description Why the task failed; of an ended run, how many courses failed. */
            error_message: string;
            /** @description The full list, evaluated courses included. */
            course_list: components["schemas"]["CourseInfo"][];
            /** @description Courses that this run leaves alone; `pending_courses` has them too. */
            excluded_courses: number;
            /** @description In the order of the attempts, as many as `fail_count`. A new run may try them again: `only` of its start. */
            failed_courses: components["schemas"]["FailedEvaluation"][];
        };
        /**
         * EvaluationStatusEnvelope
         * @description A success with its payload.
         */
        EvaluationStatusEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description Null without a task. */
            data: components["schemas"]["EvaluationStatus"] | null;
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * EventAbout
         * @description What the event is about; members that do not apply are left out.
         */
        EventAbout: {
            /** @description Term code. */
            term_code?: string;
            /** @description Course number at the campus. */
            course_code?: string;
            /** @description Class number. */
            course_class?: string;
            /** @description Name of the course. */
            course_name?: string;
            /** @description Of a score: `score`, `retake` or `makeup`, or the code of the component. */
            part?: string;
            /** @description `university` or `other`. */
            exam_kind?: string;
            /** @description Of an activity: `changed` or `gone`. */
            change?: string;
            /** @description Of a timetable: courses that were added, separated by `、`. */
            added?: string;
            /** @description Of a timetable: courses whose classes were moved. */
            changed?: string;
            /** @description Of a timetable: courses that are in it no more. */
            removed?: string;
            /** @description Courses to evaluate. */
            courses?: number;
            /** @description Name of the room. */
            room_name?: string;
            /** @description Below which it fell, in kWh. */
            threshold?: number;
            /** @description Id of the activity. */
            activity_id?: string;
            /** @description Its title. */
            activity_title?: string;
            /** @description Of the hook that is tested. */
            hook_id?: string;
        };
        /**
         * EventPage
         * @description Changes, as they were seen.
         */
        EventPage: {
            /** @description In the order of `seq`. */
            events: components["schemas"]["ChangeEvent"][];
            /** @description Send it as `after` the next time. */
            next: number;
            /** @description Events behind `after` are no longer kept: what was read before may be out of date. */
            gap: boolean;
        };
        /**
         * EventPageEnvelope
         * @description A success with its payload.
         */
        EventPageEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["EventPage"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * EventType
         * @description What it is.
         * @enum {string}
         */
        EventType: "score.published" | "score.changed" | "score.component_published" | "exam.scheduled" | "exam.moved" | "exam.cancelled" | "schedule.changed" | "term.began" | "evaluation.due" | "electricity.low" | "activity.changed" | "account.person_needed" | "account.password_refused" | "test.ping";
        /**
         * ExamInfoResponse
         * @description Exams of the current term.
         */
        ExamInfoResponse: {
            /** @description Sorted by date, then time, as text. */
            exams: components["schemas"]["UnifiedExamInfo"][];
            /** @description Length of `exams`. */
            total_count: number;
        };
        /**
         * ExamInfoResponseEnvelope
         * @description A success with its payload.
         */
        ExamInfoResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ExamInfoResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * FailedEvaluation
         * @description A course that the run could not evaluate.
         */
        FailedEvaluation: {
            /** @description What the course is called here: opaque, unique within the list, the same after every refresh. */
            course_key: string;
            /** @description Course. */
            course_name: string;
            /**
             * @description `page_failed` its questionnaire could not be read; `preview_outdated` it asks something else than what was previewed; `refused` the campus refused the answers; `unconfirmed` it took them, and its list says that the course is not evaluated; `interrupted` nothing was sent, or what became of it is unknown.
             * @enum {string}
             */
            reason: "page_failed" | "preview_outdated" | "refused" | "unconfirmed" | "interrupted";
        };
        /**
         * FailedSystem
         * @description Where at the campus it failed. New ones may be added.
         * @enum {string}
         */
        FailedSystem: "portal" | "unified-login" | "academics" | "activity-score" | "labor-club" | "electricity" | "competitions" | "card";
        /**
         * FailureEnvelope
         * @description A failure; `message` repeats `error.message`.
         */
        FailureEnvelope: {
            /** @description Always false. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description Always null. */
            data: Record<string, never> | null;
            error: components["schemas"]["ErrorModel"];
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * FailureReason
         * @description Why, where the code alone leaves it open. `unknown_user`: the student id is not registered here; `portal_refused`: the VPN portal refused its password; `login_refused`: the unified login refused its password; `stored_unreadable`: the service cannot read the stored passwords any more; `wrong_pair`: other passwords than the stored ones; `campus_busy`: the campus wants a pause between calls of this sort; `outcome_unknown`: the answer to a write was lost: look at its result; `account_locked`: the campus does not let this account in, now or at all; told to the student alone; `campus_closed`: the campus says that it is closed at this hour; `campus_blocked`: the campus lets nothing in from the address of this service; `confirm_at_campus`: the campus wants something that the student can do only there, such as a new password; `application_refused`: the application of the campus said no. There are no others.
         * @enum {string}
         */
        FailureReason: "unknown_user" | "portal_refused" | "login_refused" | "stored_unreadable" | "wrong_pair" | "campus_busy" | "outcome_unknown" | "account_locked" | "campus_closed" | "campus_blocked" | "confirm_at_campus" | "application_refused";
        /**
         * Feed
         * @description A calendar feed.
         */
        Feed: {
            /** @description Names the feed; of no use for reading it. */
            id: string;
            /** @description What calendar programs call it. */
            name: string;
            /** @description What it holds, each once: `classes` of the current term, `exams`, `activities` of the labor club that were joined and the ends of their sign-up. */
            include: ("classes" | "exams" | "activities")[];
            /** @description Minutes before the beginning at which programs remind of it; null: never. */
            alarm_minutes: number | null;
            /** @description In campus time. */
            created_at: string;
            /** @description When a program last asked for it, to the hour and not before `created_at`; null: never. */
            last_polled_at: string | null;
        };
        /**
         * FeedList
         * @description The calendar feeds of the student.
         */
        FeedList: {
            /** @description The oldest first. */
            feeds: components["schemas"]["Feed"][];
        };
        /**
         * FeedListEnvelope
         * @description A success with its payload.
         */
        FeedListEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["FeedList"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * FeedRequest
         * @description A calendar feed to be made.
         */
        FeedRequest: {
            /** @description What calendar programs call it. */
            name: string;
            /** @description What it holds, each once: `classes` of the current term, `exams`, `activities` of the labor club that were joined and the ends of their sign-up. */
            include: ("classes" | "exams" | "activities")[];
            /** @description Minutes before the beginning at which programs remind of it; null: never. */
            alarm_minutes?: number | null;
        };
        /**
         * FloorRoomsResponse
         * @description The rooms of a floor.
         */
        FloorRoomsResponse: {
            /** @description Code of the campus; opaque. */
            floor_code: string;
            /** @description Name, as the campus writes it. */
            floor_name: string;
            /** @description Code of the campus; opaque. */
            building_code: string;
            /** @description In the order of the campus. */
            rooms: components["schemas"]["RoomInfo"][];
            /** @description Length of `rooms`. */
            room_count: number;
        };
        /**
         * FloorRoomsResponseEnvelope
         * @description A success with its payload.
         */
        FloorRoomsResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["FloorRoomsResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * FlowData
         * @description A step of the approval.
         */
        FlowData: {
            /** @description Id of the step. */
            ID: string;
            /** @description False also while the step is pending; `ExamTime` is empty then. */
            IsAdopt: boolean;
            /** @description Code of its kind at the campus. */
            FlowType: number;
            /** @description Name of its kind. */
            FlowTypeName: string;
            /** @description Number of the person who handed it in; null when not stated. */
            UserNo: string | null;
            /** @description Name of the person who handed it in. */
            UserName: string;
            /** @description Number of the person who decides. */
            ExamUserNo: string;
            /** @description Name of the person who decides. */
            ExamUserName: string;
            /** @description What was said with the decision. */
            ExamComment: string;
            /** @description It was handed in; campus time as the campus writes it, empty when unknown. */
            AddTime: string;
            /** @description It was decided; campus time as the campus writes it, empty when unknown. */
            ExamTime: string;
        };
        /**
         * FlutterImageMode
         * @enum {string}
         */
        FlutterImageMode: "light" | "dark";
        /**
         * ForbiddenEnvelope
         * @description A failure; `message` repeats `error.message`.
         */
        ForbiddenEnvelope: {
            /** @description Always false. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description With `PERSON_NEEDED`; else null. */
            data: components["schemas"]["PersonNeeded"] | null;
            error: components["schemas"]["ErrorModel"];
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ForceRefreshResponse
         * @description What became of a refresh.
         */
        ForceRefreshResponse: {
            /** @description The list was read again. */
            success: boolean;
            /** @description Text for people. */
            message: string;
            /** @description Seconds until a refresh is possible again. */
            remaining_cooldown: number;
        };
        /**
         * ForceRefreshResponseEnvelope
         * @description A success with its payload.
         */
        ForceRefreshResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ForceRefreshResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * FormField
         * @description An item of the form of an activity.
         */
        FormField: {
            /** @description Id of the item. */
            ID: string;
            /** @description What it asks for. */
            Name: string;
            /** @description It must be filled in. */
            IsMust: boolean;
            /** @description Code of its kind at the campus. */
            FieldType: number;
            /** @description What was filled in. */
            Value: string;
        };
        /**
         * Home
         * @description The start of an app in one call.
         */
        Home: {
            /** @description Today at the campus, `YYYY-MM-DD`. */
            date: string;
            /** @description The parts that were asked for, and no others. */
            parts: {
                term?: {
                    /** @description Null where the part has an error. */
                    data: components["schemas"]["CurrentTermInfo"] | null;
                    /** @description Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`; null without one. */
                    read_at: string | null;
                    /**
                     * @description `campus`: read now; `copy`; `stand_in`: an older one, because the campus failed; `local`: known here; `none`: an error.
                     * @enum {string}
                     */
                    source: "campus" | "copy" | "stand_in" | "local" | "none";
                    /** @description Null where the part has data. */
                    error: components["schemas"]["HomePartError"] | null;
                };
                today?: {
                    /** @description Null where the part has an error. */
                    data: components["schemas"]["HomeToday"] | null;
                    /** @description Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`; null without one. */
                    read_at: string | null;
                    /**
                     * @description `campus`: read now; `copy`; `stand_in`: an older one, because the campus failed; `local`: known here; `none`: an error.
                     * @enum {string}
                     */
                    source: "campus" | "copy" | "stand_in" | "local" | "none";
                    /** @description Null where the part has data. */
                    error: components["schemas"]["HomePartError"] | null;
                };
                next?: {
                    /** @description Null where the part has an error. */
                    data: components["schemas"]["HomeNext"] | null;
                    /** @description Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`; null without one. */
                    read_at: string | null;
                    /**
                     * @description `campus`: read now; `copy`; `stand_in`: an older one, because the campus failed; `local`: known here; `none`: an error.
                     * @enum {string}
                     */
                    source: "campus" | "copy" | "stand_in" | "local" | "none";
                    /** @description Null where the part has data. */
                    error: components["schemas"]["HomePartError"] | null;
                };
                exams?: {
                    /** @description Null where the part has an error. */
                    data: components["schemas"]["HomeExams"] | null;
                    /** @description Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`; null without one. */
                    read_at: string | null;
                    /**
                     * @description `campus`: read now; `copy`; `stand_in`: an older one, because the campus failed; `local`: known here; `none`: an error.
                     * @enum {string}
                     */
                    source: "campus" | "copy" | "stand_in" | "local" | "none";
                    /** @description Null where the part has data. */
                    error: components["schemas"]["HomePartError"] | null;
                };
                summary?: {
                    /** @description Null where the part has an error. */
                    data: components["schemas"]["AcademicInfo"] | null;
                    /** @description Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`; null without one. */
                    read_at: string | null;
                    /**
                     * @description `campus`: read now; `copy`; `stand_in`: an older one, because the campus failed; `local`: known here; `none`: an error.
                     * @enum {string}
                     */
                    source: "campus" | "copy" | "stand_in" | "local" | "none";
                    /** @description Null where the part has data. */
                    error: components["schemas"]["HomePartError"] | null;
                };
                card?: {
                    /** @description Null where the part has an error. */
                    data: components["schemas"]["CardBalance"] | null;
                    /** @description Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`; null without one. */
                    read_at: string | null;
                    /**
                     * @description `campus`: read now; `copy`; `stand_in`: an older one, because the campus failed; `local`: known here; `none`: an error.
                     * @enum {string}
                     */
                    source: "campus" | "copy" | "stand_in" | "local" | "none";
                    /** @description Null where the part has data. */
                    error: components["schemas"]["HomePartError"] | null;
                };
                electricity?: {
                    /** @description Null where the part has an error. */
                    data: components["schemas"]["HomeElectricity"] | null;
                    /** @description Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`; null without one. */
                    read_at: string | null;
                    /**
                     * @description `campus`: read now; `copy`; `stand_in`: an older one, because the campus failed; `local`: known here; `none`: an error.
                     * @enum {string}
                     */
                    source: "campus" | "copy" | "stand_in" | "local" | "none";
                    /** @description Null where the part has data. */
                    error: components["schemas"]["HomePartError"] | null;
                };
                activity?: {
                    /** @description Null where the part has an error. */
                    data: components["schemas"]["CreditInfo"] | null;
                    /** @description Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`; null without one. */
                    read_at: string | null;
                    /**
                     * @description `campus`: read now; `copy`; `stand_in`: an older one, because the campus failed; `local`: known here; `none`: an error.
                     * @enum {string}
                     */
                    source: "campus" | "copy" | "stand_in" | "local" | "none";
                    /** @description Null where the part has data. */
                    error: components["schemas"]["HomePartError"] | null;
                };
                labor?: {
                    /** @description Null where the part has an error. */
                    data: components["schemas"]["LDJLBProgressInfo"] | null;
                    /** @description Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`; null without one. */
                    read_at: string | null;
                    /**
                     * @description `campus`: read now; `copy`; `stand_in`: an older one, because the campus failed; `local`: known here; `none`: an error.
                     * @enum {string}
                     */
                    source: "campus" | "copy" | "stand_in" | "local" | "none";
                    /** @description Null where the part has data. */
                    error: components["schemas"]["HomePartError"] | null;
                };
                evaluation?: {
                    /** @description Null where the part has an error. */
                    data: components["schemas"]["HomeEvaluation"] | null;
                    /** @description Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`; null without one. */
                    read_at: string | null;
                    /**
                     * @description `campus`: read now; `copy`; `stand_in`: an older one, because the campus failed; `local`: known here; `none`: an error.
                     * @enum {string}
                     */
                    source: "campus" | "copy" | "stand_in" | "local" | "none";
                    /** @description Null where the part has data. */
                    error: components["schemas"]["HomePartError"] | null;
                };
            };
        };
        /**
         * HomeClass
         * @description A class of today.
         */
        HomeClass: {
            /** @description Course. */
            course_name: string;
            /** @description Course number. */
            course_code: string;
            /** @description Class number. */
            course_sequence: string;
            /** @description Several names are joined with one blank. */
            teacher_name: string;
            /** @description First session. */
            class_sessions: number;
            /** @description Number of consecutive sessions. */
            continuing_session: number;
            /** @description Begin of the first session, `HHMM`; null where the campus gives the session no time. */
            start_time: string | null;
            /** @description End of the last session, `HHMM`; null where the campus gives the session no time. */
            end_time: string | null;
            /** @description Campus. */
            campus_name: string;
            /** @description Building. */
            teaching_building_name: string;
            /** @description Room. */
            classroom_name: string;
            /** @description E.g. `1-16周`. */
            week_description: string;
        };
        /**
         * HomeElectricity
         * @description Electricity of the bound room.
         */
        HomeElectricity: {
            /** @description Code of the campus; opaque. */
            room_code: string;
            /** @description `<building>/<floor>/<room>`; empty for a room that is not in the list. */
            room_display: string;
            balance: components["schemas"]["ElectricityBalance"];
        };
        /**
         * HomeEnvelope
         * @description A success with its payload.
         */
        HomeEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["Home"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * HomeEvaluation
         * @description The evaluation task, as this service has it.
         */
        HomeEvaluation: {
            /** @description As in `/jwc/evaluation/status`; null without a task. */
            task_status: string | null;
            /** @description Courses of its list. */
            total_courses: number;
            /** @description Courses that are not evaluated; null without a task, because only a task knows. */
            pending_courses: number | null;
            /** @description Courses that it has evaluated. */
            success_count: number;
            /** @description Courses that it could not evaluate. */
            fail_count: number;
        };
        /**
         * HomeExams
         * @description The next exams.
         */
        HomeExams: {
            /** @description From today on, at most 5, in the order of `/jwc/exam/info`. */
            exams: components["schemas"]["UnifiedExamInfo"][];
            /** @description All exams of `/jwc/exam/info`. */
            total_count: number;
        };
        /**
         * HomeNext
         * @description What is held now and what comes next.
         */
        HomeNext: {
            /** @description Classes that are held now. */
            now: components["schemas"]["HomeNextClass"][];
            /** @description The next classes of the term within 60 days: all that begin at that moment; of a day without times, all of that day. */
            next_class: components["schemas"]["HomeNextClass"][];
            /** @description The next exam that has a day, until it is over; null: none, or see `exam_left_out`. */
            next_exam: components["schemas"]["HomeNextExam"] | null;
            /** @description Classes of today without a time: in neither list. */
            untimed_today: number;
            /**
             * @description Null: they were. `scope`: the token lacks `exams:read`; `not_offered`: not at this campus; `failed`: they could not be read.
             * @enum {string|null}
             */
            exam_left_out: "scope" | "not_offered" | "failed" | null;
            /** @description In campus time: the earliest begin or end in it, at the latest the end of today. Ask again then. */
            valid_until: string;
        };
        /**
         * HomeNextClass
         * @description A class that is held now, or comes next.
         */
        HomeNextClass: {
            /** @description Course. */
            course_name: string;
            /** @description Course number. */
            course_code: string;
            /** @description Class number. */
            course_sequence: string;
            /** @description Several names are joined with one blank. */
            teacher_name: string;
            /** @description First session. */
            class_sessions: number;
            /** @description Number of consecutive sessions. */
            continuing_session: number;
            /** @description The day on which it is held, `YYYY-MM-DD`. */
            date: string;
            /** @description Begin in campus time, `YYYY-MM-DD HH:MM:SS`; null where the campus states none. */
            begin: string | null;
            /** @description End in campus time, `YYYY-MM-DD HH:MM:SS`; null where the campus states none. */
            end: string | null;
            /** @description Campus. */
            campus_name: string;
            /** @description Building. */
            teaching_building_name: string;
            /** @description Room. */
            classroom_name: string;
            /** @description E.g. `1-16周`. */
            week_description: string;
        };
        /**
         * HomeNextExam
         * @description An exam.
         */
        HomeNextExam: {
            /** @description Course. */
            course_name: string;
            /**
             * @description `university`: of the campus; `other`: any other exam.
             * @enum {string}
             */
            exam_type: "university" | "other";
            /** @description Its day, `YYYY-MM-DD`. */
            date: string;
            /** @description Begin in campus time, `YYYY-MM-DD HH:MM:SS`; null where the campus states none. */
            begin: string | null;
            /** @description End in campus time, `YYYY-MM-DD HH:MM:SS`; null where the campus states none. */
            end: string | null;
            /** @description As the campus writes it. */
            exam_time: string;
            /** @description Place. */
            exam_location: string;
            /** @description Seat of a university exam, remark of another one. */
            note: string;
        };
        /**
         * HomePartError
         * @description Why a part has no data: what its own operation would have answered.
         */
        HomePartError: {
            /** @description As in failures. */
            code: string;
            /** @description In words. */
            message: string;
            /** @description The same call may succeed later. */
            retryable: boolean;
            /** @description Where it arose, where that is known. */
            system?: string;
            /** @description Why, where the code leaves it open. */
            reason?: string;
            /** @description Seconds to wait, where that is known. */
            retry_after?: number;
        };
        /**
         * HomeToday
         * @description The classes of today.
         */
        HomeToday: {
            /** @description Today at the campus, `YYYY-MM-DD`. */
            date: string;
            /** @description 0 is Monday, 6 Sunday. (`class_day` of timetables counts from 1.) */
            weekday: number;
            /** @description Week of the term, counted from its first day as in calendar feeds; 0 outside the term. */
            week_number: number;
            /** @description Term code. Where it is not known, this part is an error. */
            term_code: string;
            /** @description What the operator has set for this day, in words; null: nothing. */
            adjustment: string | null;
            /** @description By first session, then name. */
            classes: components["schemas"]["HomeClass"][];
        };
        /**
         * Hook
         * @description A hook.
         */
        Hook: {
            /** @description Names the hook. */
            id: string;
            /** @description Where it is told: https, port 443, a public address. It may hold a key of the receiver; only its owner sees it. */
            url: string;
            /** @description What it is told, each once: `score.published`, `score.changed`, `score.component_published`, `exam.scheduled`, `exam.moved`, `exam.cancelled`, `schedule.changed`, `term.began`, `evaluation.due`, `electricity.low`, `activity.changed`, `account.person_needed`, `account.password_refused`. */
            types: ("score.published" | "score.changed" | "score.component_published" | "exam.scheduled" | "exam.moved" | "exam.cancelled" | "schedule.changed" | "term.began" | "evaluation.due" | "electricity.low" | "activity.changed" | "account.person_needed" | "account.password_refused")[];
            /**
             * @description `thin`: names, ids and which read to ask, never a mark; `full`: also what the reading says.
             * @enum {string}
             */
            detail: "thin" | "full";
            /**
             * @description `standard`: the event as JSON, signed as Standard Webhooks say; the others: one line without a mark for that service, at its own hosts only.
             * @enum {string}
             */
            format: "standard" | "ntfy" | "bark" | "serverchan" | "dingtalk";
            /** @description Below how many kWh it is told of `electricity.low`; null: it is not. */
            low_kwh: number | null;
            /**
             * @description `daily`: once a day, between 7 and 23 h, the service reads this term's scores, the exams and the timetable, with one sign-in at most and without what was read within six hours. `none`: it reads nothing.
             * @enum {string}
             */
            refresh: "none" | "daily";
            /**
             * @description `paused`: by its owner; `failed`: after five days of nothing but failures; `gone`: the receiver has answered 410.
             * @enum {string}
             */
            state: "on" | "paused" | "failed" | "gone";
            /** @description In campus time. */
            created_at: string;
            /** @description Of the last delivery that arrived; null: none has yet. */
            delivered_at: string | null;
            /** @description Since when nothing has arrived although it was tried; null: all is well. */
            failing_since: string | null;
        };
        /**
         * HookChangeRequest
         * @description What is to be different.
         */
        HookChangeRequest: {
            /** @description Where it is told: https, port 443, a public address. It may hold a key of the receiver; only its owner sees it. */
            url?: string;
            /** @description What it is told, each once: `score.published`, `score.changed`, `score.component_published`, `exam.scheduled`, `exam.moved`, `exam.cancelled`, `schedule.changed`, `term.began`, `evaluation.due`, `electricity.low`, `activity.changed`, `account.person_needed`, `account.password_refused`. */
            types?: ("score.published" | "score.changed" | "score.component_published" | "exam.scheduled" | "exam.moved" | "exam.cancelled" | "schedule.changed" | "term.began" | "evaluation.due" | "electricity.low" | "activity.changed" | "account.person_needed" | "account.password_refused")[];
            /**
             * @description `thin`: names, ids and which read to ask, never a mark; `full`: also what the reading says.
             * @enum {string}
             */
            detail?: "thin" | "full";
            /**
             * @description `standard`: the event as JSON, signed as Standard Webhooks say; the others: one line without a mark for that service, at its own hosts only.
             * @enum {string}
             */
            format?: "standard" | "ntfy" | "bark" | "serverchan" | "dingtalk";
            /** @description Of `electricity.low`: below how many kWh it is told. Left out: 10. */
            low_kwh?: number;
            /**
             * @description `daily`: once a day, between 7 and 23 h, the service reads this term's scores, the exams and the timetable, with one sign-in at most and without what was read within six hours. `none`: it reads nothing.
             * @enum {string}
             */
            refresh?: "none" | "daily";
            /** @description False: it is off, and waiting deliveries are given up. True: it is on, no matter what switched it off. */
            active?: boolean;
        };
        /**
         * HookDeliveries
         * @description What a hook was told lately.
         */
        HookDeliveries: {
            /** @description The newest first, at most 20. */
            deliveries: components["schemas"]["HookDelivery"][];
        };
        /**
         * HookDeliveriesEnvelope
         * @description A success with its payload.
         */
        HookDeliveriesEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["HookDeliveries"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * HookDelivery
         * @description One event at one hook.
         */
        HookDelivery: {
            /** @description Names the delivery. */
            id: string;
            /** @description Id of the event, which is the `webhook-id` of every attempt. */
            event_id: string;
            /**
             * @description Of the event.
             * @enum {string}
             */
            type: "score.published" | "score.changed" | "score.component_published" | "exam.scheduled" | "exam.moved" | "exam.cancelled" | "schedule.changed" | "term.began" | "evaluation.due" | "electricity.low" | "activity.changed" | "account.person_needed" | "account.password_refused" | "test.ping";
            /**
             * @description `waiting`: for its next attempt.
             * @enum {string}
             */
            state: "waiting" | "delivered" | "given-up";
            /** @description In campus time. */
            created_at: string;
            /** @description How many there were. */
            attempts: number;
            /** @description Of the last attempt; null: none yet. */
            tried_at: string | null;
            /** @description What the receiver answered to it; null: nothing. */
            status: number | null;
            /**
             * @description Why it did not arrive, where that is not the status; null: there is nothing to say.
             * @enum {string|null}
             */
            fault: "refused-target" | "unresolved" | "private" | "not-connected" | "timed-out" | "broken" | "not-accepted" | "switched-off" | "too-many" | null;
            /** @description How long it took, in milliseconds; null: none yet. */
            ms: number | null;
            /** @description When it is attempted again; null: it is over. */
            next_at: string | null;
        };
        /**
         * HookEnvelope
         * @description A success with its payload.
         */
        HookEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["Hook"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * HookList
         * @description The hooks of the student.
         */
        HookList: {
            /** @description The oldest first. */
            hooks: components["schemas"]["Hook"][];
        };
        /**
         * HookListEnvelope
         * @description A success with its payload.
         */
        HookListEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["HookList"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * HookRequest
         * @description A hook to be made.
         */
        HookRequest: {
            /** @description Where it is told: https, port 443, a public address. It may hold a key of the receiver; only its owner sees it. */
            url: string;
            /** @description What it is told, each once: `score.published`, `score.changed`, `score.component_published`, `exam.scheduled`, `exam.moved`, `exam.cancelled`, `schedule.changed`, `term.began`, `evaluation.due`, `electricity.low`, `activity.changed`, `account.person_needed`, `account.password_refused`. */
            types: ("score.published" | "score.changed" | "score.component_published" | "exam.scheduled" | "exam.moved" | "exam.cancelled" | "schedule.changed" | "term.began" | "evaluation.due" | "electricity.low" | "activity.changed" | "account.person_needed" | "account.password_refused")[];
            /**
             * @description `thin`: names, ids and which read to ask, never a mark; `full`: also what the reading says.
             * @enum {string}
             */
            detail?: "thin" | "full";
            /**
             * @description `standard`: the event as JSON, signed as Standard Webhooks say; the others: one line without a mark for that service, at its own hosts only.
             * @enum {string}
             */
            format?: "standard" | "ntfy" | "bark" | "serverchan" | "dingtalk";
            /** @description Of `electricity.low`: below how many kWh it is told. Left out: 10. */
            low_kwh?: number;
            /**
             * @description `daily`: once a day, between 7 and 23 h, the service reads this term's scores, the exams and the timetable, with one sign-in at most and without what was read within six hours. `none`: it reads nothing.
             * @enum {string}
             */
            refresh?: "none" | "daily";
        };
        /**
         * InviteCodeRequest
         * @description The code to exchange.
         */
        InviteCodeRequest: {
            /** @description Invite code, as the operator gave it out. */
            invite_code: string;
        };
        /**
         * InviteCodeResponse
         * @description Permits one registration.
         */
        InviteCodeResponse: {
            /** @description Input of the registration; not a bearer token. */
            invite_token: string;
        };
        /**
         * InviteCodeResponseEnvelope
         * @description A success with its payload.
         */
        InviteCodeResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["InviteCodeResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * LDJLBActivity
         * @description An activity of the labor club.
         */
        LDJLBActivity: {
            /** @description Id of the activity. */
            ID: string;
            /** @description Address of its picture; null without one. */
            Ico: string | null;
            /** @description Code of the campus; show `StateName`. */
            State: number;
            /** @description Its state, e.g. `报名中`. */
            StateName: string;
            /** @description Id of its kind. */
            TypeID: string;
            /** @description Name of its kind. */
            TypeName: string;
            /** @description Its title. */
            Title: string;
            /** @description Campus time as the campus writes it; empty when unknown. */
            StartTime: string;
            /** @description Campus time as the campus writes it; empty when unknown. */
            EndTime: string;
            /** @description Number of the person in charge. */
            ChargeUserNo: string;
            /** @description Name of the person in charge. */
            ChargeUserName: string;
            /** @description Id of its club. */
            ClubID: string;
            /** @description Name of its club. */
            ClubName: string;
            /** @description People who signed up. */
            MemberNum: number;
            /** @description Campus time as the campus writes it; empty when unknown. */
            AddTime: string;
            /** @description Places. */
            PeopleNum: number;
            /** @description Fewest people; null when not stated. */
            PeopleNumMin: number | null;
            /** @description The caller has joined (spelled so upstream). */
            IsJson: boolean | null;
            /** @description It is closed; null when not stated. */
            IsClose: boolean | null;
            /** @description Campus time as the campus writes it; empty when unknown. */
            SignUpStartTime: string;
            /** @description Campus time as the campus writes it; empty when unknown. */
            SignUpEndTime: string;
        };
        /**
         * LDJLBActivityListResponse
         * @description One page of activities.
         */
        LDJLBActivityListResponse: {
            /** @description The activities of this page. */
            data: components["schemas"]["LDJLBActivity"][];
            pageInfo: components["schemas"]["LDJLBPageInfo"];
        };
        /**
         * LDJLBActivityListResponseEnvelope
         * @description A success with its payload.
         */
        LDJLBActivityListResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["LDJLBActivityListResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * LDJLBApplyResponse
         * @description What the campus decided.
         */
        LDJLBApplyResponse: {
            /** @description 0: accepted. */
            code: number;
            /** @description What the campus says; may be empty. */
            msg: string;
        };
        /**
         * LDJLBApplyResponseEnvelope
         * @description What the campus decided, with its payload.
         */
        LDJLBApplyResponseEnvelope: {
            /** @description False: the campus refused, `data.code` is not 0. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["LDJLBApplyResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * LDJLBClub
         * @description A labor club.
         */
        LDJLBClub: {
            /** @description Id of the club. */
            ID: string;
            /** @description Its name. */
            Name: string;
            /** @description Id of its kind. */
            TypeID: string;
            /** @description Places. */
            PeopleNum: number;
            /** @description Id of its project. */
            ProjectID: string;
            /** @description Project name (spelled so upstream). */
            PorjectName: string;
            /** @description Name of its kind. */
            TypeName: string;
            /** @description Address of its picture; may be empty. */
            Ico: string;
            /** @description What it is about; null when not stated. */
            Desc: string | null;
            /** @description Number of the chairman. */
            ChairmanNo: string;
            /** @description Chairman (spelled so upstream). */
            CairmanName: string;
            /** @description Code of the department. */
            DepartCode: string;
            /** @description How to reach it; null when not stated. */
            Contact: string | null;
            /** @description It is active. */
            IsEnable: boolean;
            /** @description Department (spelled so upstream). */
            DpeartName: string;
            /** @description Members. */
            MemberNum: number;
        };
        /**
         * LDJLBClubApplication
         * @description An application for a club.
         */
        LDJLBClubApplication: {
            /** @description Id of the application. */
            ID: string;
            /** @description Id of the club. */
            ClubID: string;
            /** @description Name of the club. */
            ClubName: string;
            /** @description What the caller wrote. */
            Reason: string;
            /** @description When, as the campus writes it; a `T` may stand between date and time. Empty when unknown. */
            AddTime: string;
            /** @description What was answered; may be empty. */
            ReplyComment: string;
            /** @description What was decided; null: nothing yet. */
            IsAgree: boolean | null;
            /** @description State in the words of the campus; may be empty. */
            StateName: string;
            /**
             * @description What has become of it. One that has lapsed is `rejected`.
             * @enum {string}
             */
            status: "approved" | "rejected" | "pending";
        };
        /**
         * LDJLBClubApplications
         * @description The applications of the caller.
         */
        LDJLBClubApplications: {
            /** @description All of them, newest first. */
            data: components["schemas"]["LDJLBClubApplication"][];
        };
        /**
         * LDJLBClubApplicationsEnvelope
         * @description A success with its payload.
         */
        LDJLBClubApplicationsEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["LDJLBClubApplications"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * LDJLBClubDirectory
         * @description One page of the clubs.
         */
        LDJLBClubDirectory: {
            /** @description The clubs of this page. */
            data: components["schemas"]["LDJLBClubEntry"][];
            pageInfo: components["schemas"]["LDJLBPageInfo"];
        };
        /**
         * LDJLBClubDirectoryEnvelope
         * @description A success with its payload.
         */
        LDJLBClubDirectoryEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["LDJLBClubDirectory"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * LDJLBClubEntry
         * @description A club of the directory.
         */
        LDJLBClubEntry: {
            /** @description Id of the club. */
            ID: string;
            /** @description Its name. */
            Name: string;
            /** @description Id of its kind. */
            TypeID: string;
            /** @description Name of its kind. */
            TypeName: string;
            /** @description Id of its project. */
            ProjectID: string;
            /** @description Project name (spelled so upstream). */
            PorjectName: string;
            /** @description Places. More members than that do not close a club. */
            PeopleNum: number;
            /** @description Members. */
            MemberNum: number;
            /** @description Address of its picture; null without one. */
            Ico: string | null;
            /** @description What it is about; null when not stated. */
            Desc: string | null;
            /** @description It can be applied for. */
            IsEnable: boolean;
            /** @description The caller is a member. */
            IsJoin: boolean;
        };
        /**
         * LDJLBClubJoinRequest
         * @description An application for a club.
         */
        LDJLBClubJoinRequest: {
            /** @description Why the caller wants to join; blanks at its ends are not sent. Shown to those who decide. */
            reason: string;
        };
        /**
         * LDJLBClubListResponse
         * @description Labor clubs.
         */
        LDJLBClubListResponse: {
            /** @description In the order of the campus. */
            data: components["schemas"]["LDJLBClub"][];
        };
        /**
         * LDJLBClubListResponseEnvelope
         * @description A success with its payload.
         */
        LDJLBClubListResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["LDJLBClubListResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * LDJLBPageInfo
         * @description Which page it is, and of how many rows.
         */
        LDJLBPageInfo: {
            /** @description Rows on all pages. */
            TotalItemCount: number;
            /** @description Rows on a page. */
            PageSize: number;
            /** @description This page, from 1. */
            CurrentPageIndex: number;
        };
        /**
         * LDJLBProgressInfo
         * @description Progress in the labor club.
         */
        LDJLBProgressInfo: {
            /** @description Finished activities; ten are needed. */
            data: number;
            /** @description The same number. */
            finish_count: number;
            /** @description 0 to 100. May come without a fraction: `1` for `1.0`. */
            progress_percentage: number;
        };
        /**
         * LDJLBProgressInfoEnvelope
         * @description A success with its payload.
         */
        LDJLBProgressInfoEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["LDJLBProgressInfo"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * LoginChallenge
         * @description What only the student can do.
         */
        LoginChallenge: {
            /** @description All that `/auth/challenges/{id}` needs: as secret as a token. Null: nothing is open that could be answered. */
            id: string | null;
            /**
             * @description Which of the two logins wants it.
             * @enum {string}
             */
            step: "portal" | "unified-login";
            /**
             * @description The characters of an image, a code by SMS, a one-time password; or something on the page of the portal itself. New ones may be added.
             * @enum {string}
             */
            kind: "captcha" | "sms" | "totp" | "elsewhere";
            /** @description What to do, for people. */
            message: string;
            /** @description The captcha in base64, as the portal delivers it, at most 256 KiB: PNG, and where its first bytes say so GIF or JPEG. Null for all other kinds. */
            image_png_base64: string | null;
            /** @description Phones to choose from; empty: there is no choice, or none is known yet. */
            targets: components["schemas"]["ChallengeTarget"][];
            /**
             * @description Whether a code is on its way. The campus does not say for certain: `unknown` before one was asked for, then `perhaps` or `yes`.
             * @enum {string}
             */
            sent: "unknown" | "perhaps" | "yes";
            /** @description The portal says that the earlier code still holds. */
            still_valid: boolean;
            /** @description Answers that may still be sent. */
            answers_left: number;
            /** @description Seconds until a code may be sent, or another image shown; 0: now. */
            resend_after: number;
            /** @description Its end, in campus time. */
            expires_at: string | null;
            /** @description Page of this service where the student logs in and answers in a browser; null where its address is unknown. */
            page_url: string | null;
        };
        /**
         * LoginChallengeEnvelope
         * @description A failure; `message` repeats `error.message`.
         */
        LoginChallengeEnvelope: {
            /** @description Always false. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["PersonNeeded"];
            error: components["schemas"]["ErrorModel"];
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * LoginRequest
         * @description Student id and both campus passwords.
         */
        LoginRequest: {
            /** @description Student id: letters and digits. */
            userid: string;
            /** @description Password of the unified login. */
            password: string;
            /** @description Password of the VPN portal. */
            vpn_password: string;
        };
        /**
         * LoginToken
         * @description A bearer token.
         */
        LoginToken: {
            /** @description Bearer token; opaque. */
            token: string;
        };
        /**
         * LoginTokenEnvelope
         * @description A success with its payload.
         */
        LoginTokenEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["LoginToken"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * LogoutEverywhereRequest
         * @description What a logout everywhere leaves alone.
         */
        LogoutEverywhereRequest: {
            /** @description What goes on: `feeds`, the calendar feeds; `hooks`, the hooks; `tokens`, the personal tokens. Left out: `feeds`; an empty list ends all. */
            keep?: ("feeds" | "hooks" | "tokens")[];
        };
        /**
         * MadeHook
         * @description A hook with its secret.
         */
        MadeHook: {
            /** @description Names the hook. */
            id: string;
            /** @description Where it is told: https, port 443, a public address. It may hold a key of the receiver; only its owner sees it. */
            url: string;
            /** @description What it is told, each once: `score.published`, `score.changed`, `score.component_published`, `exam.scheduled`, `exam.moved`, `exam.cancelled`, `schedule.changed`, `term.began`, `evaluation.due`, `electricity.low`, `activity.changed`, `account.person_needed`, `account.password_refused`. */
            types: ("score.published" | "score.changed" | "score.component_published" | "exam.scheduled" | "exam.moved" | "exam.cancelled" | "schedule.changed" | "term.began" | "evaluation.due" | "electricity.low" | "activity.changed" | "account.person_needed" | "account.password_refused")[];
            /**
             * @description `thin`: names, ids and which read to ask, never a mark; `full`: also what the reading says.
             * @enum {string}
             */
            detail: "thin" | "full";
            /**
             * @description `standard`: the event as JSON, signed as Standard Webhooks say; the others: one line without a mark for that service, at its own hosts only.
             * @enum {string}
             */
            format: "standard" | "ntfy" | "bark" | "serverchan" | "dingtalk";
            /** @description Below how many kWh it is told of `electricity.low`; null: it is not. */
            low_kwh: number | null;
            /**
             * @description `daily`: once a day, between 7 and 23 h, the service reads this term's scores, the exams and the timetable, with one sign-in at most and without what was read within six hours. `none`: it reads nothing.
             * @enum {string}
             */
            refresh: "none" | "daily";
            /**
             * @description `paused`: by its owner; `failed`: after five days of nothing but failures; `gone`: the receiver has answered 410.
             * @enum {string}
             */
            state: "on" | "paused" | "failed" | "gone";
            /** @description In campus time. */
            created_at: string;
            /** @description Of the last delivery that arrived; null: none has yet. */
            delivered_at: string | null;
            /** @description Since when nothing has arrived although it was tried; null: all is well. */
            failing_since: string | null;
            /** @description Signs what it is told. Shown this once. */
            secret: string;
        };
        /**
         * MadeHookEnvelope
         * @description A success with its payload.
         */
        MadeHookEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["MadeHook"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * MadeToken
         * @description A personal token with its secret.
         */
        MadeToken: {
            /** @description Names the token; of no use as one. */
            id: string;
            /** @description What its owner calls it; no control characters. */
            name: string;
            /** @description What it may do; `docs/reference/scopes.md` lists the operations of each. */
            scopes: ("profile:read" | "profile:write" | "academics:read" | "scores:read" | "schedule:read" | "exams:read" | "activity:read" | "electricity:read" | "electricity:write" | "labor:read" | "labor:write" | "evaluation:read" | "evaluation:write" | "card:read" | "events" | "export")[];
            /** @description It never causes a request at the campus, no matter what a call says: a copy of any age, else 504 `NO_COPY`. */
            copies_only: boolean;
            /** @description In campus time. */
            created_at: string;
            /** @description Its end, in campus time. */
            expires_at: string;
            /** @description To the hour; not before `created_at`. */
            last_used_at: string;
            /** @description Network of the last use, IPv4 by its /24 and IPv6 by its /64; null when it is not known. */
            network: string | null;
            /** @description Id of the token that was rotated in for it; null: none. */
            replaced_by: string | null;
            /** @description The bearer token. It is a secret, and shown this once. */
            token: string;
        };
        /**
         * MadeTokenEnvelope
         * @description A success with its payload.
         */
        MadeTokenEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["MadeToken"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * OfferedClass
         * @description A class that is offered in a term. What the campus does not state is null.
         */
        OfferedClass: {
            /** @description Course number at the campus. */
            course_code: string;
            /** @description Class number. */
            course_sequence: string;
            /** @description Course. */
            course_name: string;
            /** @description Several names are joined with one blank. */
            teacher_name: string;
            /** @description Credits; null where the campus states none. May come without a fraction: `1` for `1.0`. */
            unit: number | null;
            /** @description Teaching hours; null where the campus states none. */
            hours: number | null;
            /** @description Who offers it. */
            department: string | null;
            /** @description Kind of examination, e.g. `考试`. */
            exam_type: string | null;
            /** @description Category of the course. */
            category: string | null;
            /** @description Campus that offers it. */
            campus_name: string | null;
            /** @description How it is selected. */
            selection_mode: string | null;
            /** @description Who may select it; null without a restriction. */
            restriction: string | null;
            /** @description What the campus notes; null without a remark. */
            remark: string | null;
            /** @description Administrative classes that it is meant for. */
            for_classes: string | null;
            /** @description Places in all. */
            capacity: number | null;
            /** @description Places left, as the campus counts them: may be negative. */
            places_left: number | null;
            /** @description Students in it. */
            students: number | null;
            /** @description When and where; empty without a concrete time. */
            time_locations: components["schemas"]["CourseTimeLocation"][];
            /** @description True: the class has no concrete time. */
            is_no_schedule: boolean;
        };
        /**
         * OfferingPage
         * @description Classes that match, over what has been read of the term.
         */
        OfferingPage: {
            /** @description As asked. */
            term_code: string;
            /** @description As asked. */
            page_index: number;
            /** @description As asked. */
            page_size: number;
            /** @description Classes that match. */
            total_count: number;
            /** @description Everything was read within its freshness. False: more is on its way (`Retry-After`), or could not be had; a class may be missing or lack a place. */
            complete: boolean;
            /** @description Pages of the campus that this is made of. */
            pages_read: number;
            /** @description Pages that the campus has; 1 where one course was asked for. */
            page_count: number;
            /** @description Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`. */
            read_at: string;
            /** @description In the order of the campus; empty behind the last page. */
            classes: components["schemas"]["OfferedClass"][];
        };
        /**
         * OfferingPageEnvelope
         * @description A success with its payload.
         */
        OfferingPageEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["OfferingPage"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * OfferingTerm
         * @description A term whose offerings can be searched.
         */
        OfferingTerm: {
            /** @description Term code. */
            term_code: string;
            /** @description Name of the term. */
            term_name: string;
            /** @description The campus shows it first. */
            is_default: boolean;
        };
        /**
         * OfferingTermListEnvelope
         * @description A success with its payload.
         */
        OfferingTermListEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description As the campus orders them; may hold the next term. */
            data: components["schemas"]["OfferingTerm"][];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * PaymentRecord
         * @description A payment for electricity.
         */
        PaymentRecord: {
            /** @description As the campus prints it, normally `YYYY-MM-DD HH:MM:SS`. */
            payment_time: string;
            /** @description Yuan; may be negative. May come without a fraction: `1` for `1.0`. */
            amount: number;
            /** @description e.g. `一卡通充值`; empty when not stated. */
            payment_type: string;
        };
        /**
         * PersonNeeded
         * @description The campus wants more than passwords.
         */
        PersonNeeded: {
            challenge: components["schemas"]["LoginChallenge"];
        };
        /**
         * PersonalToken
         * @description A personal token.
         */
        PersonalToken: {
            /** @description Names the token; of no use as one. */
            id: string;
            /** @description What its owner calls it; no control characters. */
            name: string;
            /** @description What it may do; `docs/reference/scopes.md` lists the operations of each. */
            scopes: ("profile:read" | "profile:write" | "academics:read" | "scores:read" | "schedule:read" | "exams:read" | "activity:read" | "electricity:read" | "electricity:write" | "labor:read" | "labor:write" | "evaluation:read" | "evaluation:write" | "card:read" | "events" | "export")[];
            /** @description It never causes a request at the campus, no matter what a call says: a copy of any age, else 504 `NO_COPY`. */
            copies_only: boolean;
            /** @description In campus time. */
            created_at: string;
            /** @description Its end, in campus time. */
            expires_at: string;
            /** @description To the hour; not before `created_at`. */
            last_used_at: string;
            /** @description Network of the last use, IPv4 by its /24 and IPv6 by its /64; null when it is not known. */
            network: string | null;
            /** @description Id of the token that was rotated in for it; null: none. */
            replaced_by: string | null;
        };
        /**
         * PlanCompletionCategory
         * @description The numbers are those that the campus prints; 0 where it prints none.
         */
        PlanCompletionCategory: {
            /** @description Id at the campus. */
            category_id: string;
            /** @description Name of the category. */
            category_name: string;
            /** @description Credits required. May come without a fraction: `1` for `1.0`. */
            min_credits: number;
            /** @description Credits passed. May come without a fraction: `1` for `1.0`. */
            completed_credits: number;
            /** @description Courses taken. */
            total_courses: number;
            /** @description Courses passed. */
            passed_courses: number;
            /** @description Courses not passed. */
            failed_courses: number;
            /** @description Required courses not yet taken. */
            missing_required_courses: number;
            /** @description Categories below this one. */
            subcategories: components["schemas"]["PlanCompletionCategory"][];
            /** @description Courses directly below this one. */
            courses: components["schemas"]["PlanCompletionCourse"][];
        };
        /**
         * PlanCompletionCourse
         * @description A course of the plan, or a node that stands for one.
         */
        PlanCompletionCourse: {
            /** @description Id at the campus. */
            flag_id: string;
            /** @description `001` category, `002` subcategory, `kch` course. */
            flag_type: string;
            /** @description Course number; empty for what is no course. */
            course_code: string;
            /** @description Course, or name of the node. */
            course_name: string;
            /** @description It is passed. */
            is_passed: boolean;
            /** @description `未修读`, `已通过` or `未通过`. */
            status_description: string;
            /** @description Credits; null when not stated. May come without a fraction: `1` for `1.0`. */
            credits: number | null;
            /** @description Number or grade word; null without one. */
            score: string | null;
            /** @description `YYYYMMDD`; null when not stated. */
            exam_date: string | null;
            /** @description e.g. `必修` */
            course_type: string;
            /** @description Id of the node above. */
            parent_id: string;
            /** @description 1 subcategory, 2 course, 0 unknown. */
            level: number;
        };
        /**
         * PlanCompletionInfo
         * @description How far the training plan is completed.
         */
        PlanCompletionInfo: {
            /** @description The plan that is shown; null for the only plan of a student. */
            plan_id: string | null;
            /** @description Name of the plan. */
            plan_name: string;
            /** @description Major, cut from the plan name. */
            major: string;
            /** @description Four-digit year of entry; empty where the plan name does not tell. */
            grade: string;
            /** @description Root categories. */
            categories: components["schemas"]["PlanCompletionCategory"][];
            /** @description Number of root categories. */
            total_categories: number;
            /** @description Courses in the whole tree. */
            total_courses: number;
            /** @description Of these passed. */
            passed_courses: number;
            /** @description Of these failed. */
            failed_courses: number;
            /** @description The rest. */
            unread_courses: number;
            /** @description No course is passed: the student has just begun, or the campus shows the plan all zero. */
            nothing_passed: boolean;
            /** @description On request, where nothing is passed and the scores know a course of the plan. */
            estimate: components["schemas"]["PlanEstimate"] | null;
        };
        /**
         * PlanCompletionInfoEnvelope
         * @description A success with its payload.
         */
        PlanCompletionInfoEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["PlanCompletionInfo"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * PlanEstimate
         * @description What the scores say about the plan, by rules of this service: show it as an estimate.
         */
        PlanEstimate: {
            /** @description Courses of the plan with a mark that passes. */
            passed_courses: number;
            /** @description Courses of the plan that are not passed. */
            failed_courses: number;
            /** @description The rest. */
            unread_courses: number;
            /** @description Credits passed, each course code counted once. May come without a fraction: `1` for `1.0`. */
            completed_credits: number;
            /** @description Course codes of the plan that have a mark. */
            matched_courses: number;
            /** @description Score rows that were read. */
            score_records: number;
            /** @description Terms whose scores were read. */
            terms_read: number;
            /** @description Courses with a mark, in the order of the plan. */
            courses: components["schemas"]["EstimatedCourse"][];
            /** @description Every category, parents before children. */
            categories: components["schemas"]["EstimatedCategory"][];
        };
        /**
         * PlanOption
         * @description A training plan among several.
         */
        PlanOption: {
            /** @description What `plan_id` of the plan completion takes. */
            plan_id: string;
            /** @description Name of the plan, as the campus writes it. */
            plan_name: string;
            /** @description `主修`, `辅修` or `微专业`. */
            plan_type: string;
            /** @description It is the plan that is shown without `plan_id`; true for exactly one. */
            is_default: boolean;
        };
        /**
         * PlanOptions
         * @description The training plans among which a student chooses.
         */
        PlanOptions: {
            /** @description The campus lets this student choose among several plans. */
            needs_selection: boolean;
            /** @description What the campus says about the choice; null without one. */
            hint: string | null;
            /** @description In the order of the campus; empty for a student with one plan. */
            options: components["schemas"]["PlanOption"][];
        };
        /**
         * PlanOptionsEnvelope
         * @description A success with its payload.
         */
        PlanOptionsEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["PlanOptions"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * PreviewedComment
         * @description A question with its text.
         */
        PreviewedComment: {
            /** @description Name of the question in the form. */
            key: string;
            /** @description The question; empty where the page has no text for it. */
            question: string;
            /** @description What is sent. */
            text: string;
            /** @description Most characters the field takes, as UTF-16 units; null: the page states no limit. */
            max_length: number | null;
        };
        /**
         * PreviewedRating
         * @description A question with its chosen option.
         */
        PreviewedRating: {
            /** @description Name of the question in the form. */
            key: string;
            /** @description The question; empty where the page has no text for it. */
            question: string;
            /** @description What is sent. */
            value: string;
            /** @description What the page calls it; may be empty. */
            choice: string;
            /** @description What may be chosen, in the order of the page. */
            options: components["schemas"]["RatingOption"][];
        };
        /**
         * Questionnaire
         * @description What is filled in for a course.
         */
        Questionnaire: {
            /** @description Questionnaire id. */
            questionnaireNumber: string;
            /** @description Questionnaire title. */
            questionnaireName: string;
        };
        /**
         * RatingAnswer
         * @description A mark.
         */
        RatingAnswer: {
            /** @description `key` of the question. */
            key: string;
            /** @description `value` of one of its `options`. */
            value: string;
        };
        /**
         * RatingOption
         * @description An option of a question.
         */
        RatingOption: {
            /** @description What is sent. */
            value: string;
            /** @description What the page calls it; may be empty. */
            choice: string;
        };
        /**
         * Ready
         * @description The service can serve.
         */
        Ready: {
            /** @description Always `服务已就绪`. */
            message: string;
        };
        /**
         * ReadyEnvelope
         * @description A success with its payload.
         */
        ReadyEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["Ready"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * RecordGroup
         * @description A training plan in the whole record, with the sums of the campus.
         */
        RecordGroup: {
            /** @description Position, from 0. */
            group_index: number;
            /** @description Name of the plan, as the campus writes it. */
            label: string;
            /** @description Number of the plan; null where the campus names none. */
            plan_number: string | null;
            /** @description Credits of the courses taken; null where the campus states none. May come without a fraction: `1` for `1.0`. */
            credits_taken: number | null;
            /** @description Courses, as the campus counts them; null where it does not. */
            courses: number | null;
            /** @description Courses passed, as the campus counts them; null where it does not. */
            passed: number | null;
            /** @description Courses not passed, as the campus counts them; null where it does not. */
            failed: number | null;
        };
        /**
         * RecordRow
         * @description A score in the whole record.
         */
        RecordRow: {
            /** @description Its group; null without groups. */
            group_index: number | null;
            /** @description Term code, the `term_code` of the list of terms; null where the row states none. */
            term_id: string | null;
            /** @description E.g. `2024-2025`; null where the row states none. */
            academic_year: string | null;
            /** @description In words for people, e.g. `春`; null where the row states none. */
            term_name: string | null;
            /** @description Course number at the campus. */
            course_code: string;
            /** @description Class number. */
            course_class: string;
            /** @description Course name in Chinese. */
            course_name_cn: string;
            /** @description Course name in English; may be empty. */
            course_name_en: string;
            /** @description Credits as text. */
            credits: string;
            /** @description Teaching hours; null where the row states none. */
            hours: number | null;
            /** @description Kind of course, e.g. `必修`. */
            course_type: string;
            /** @description Kind of examination; null where the row states none. */
            exam_type: string | null;
            /** @description A number or a word grade. */
            score: string;
            /** @description The score as a number; null where the row states none. May come without a fraction: `1` for `1.0`. */
            score_number: number | null;
            /** @description Mark after a retake; null without one. */
            retake_score: string | null;
            /** @description Mark of the make-up examination; null without one. */
            makeup_score: string | null;
            /** @description Grade point of the score, 0 included; null where the campus sends none. May come without a fraction: `1` for `1.0`. */
            grade_point: number | null;
            /** @description E.g. `B+`; null where the campus sends none. */
            grade_name: string | null;
            /** @description Day of the examination, `YYYYMMDD`; null where the row states none. */
            exam_time: string | null;
            /** @description Why the campus counts it as not passed; null without a reason. */
            not_passed_reason: string | null;
            /** @description Our verdict: false where the campus gives a reason, else by the best mark; null where the marks say nothing. */
            passed: boolean | null;
        };
        /**
         * RegisterRequest
         * @description Student id, both campus passwords and an invite token.
         */
        RegisterRequest: {
            /** @description Student id: letters and digits. */
            userid: string;
            /** @description Password of the unified login. */
            password: string;
            /** @description Password of the VPN portal. */
            vpn_password: string;
            /** @description Of `/auth/register/invite`. */
            invite_token: string;
        };
        /**
         * RegisterToken
         * @description A bearer token.
         */
        RegisterToken: {
            /** @description Bearer token; opaque. */
            token: string;
        };
        /**
         * RegisterTokenEnvelope
         * @description A success with its payload.
         */
        RegisterTokenEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["RegisterToken"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * RenameTokenRequest
         * @description A new name.
         */
        RenameTokenRequest: {
            /** @description What its owner calls it; no control characters. */
            name: string;
        };
        /**
         * RoomDetailResponse
         * @description A room with its floor and building.
         */
        RoomDetailResponse: {
            /** @description Code of the campus; opaque. */
            room_code: string;
            /** @description Name, as the campus writes it. */
            room_name: string;
            /** @description Code of the campus; opaque. */
            floor_code: string;
            /** @description Name, as the campus writes it. */
            floor_name: string;
            /** @description Code of the campus; opaque. */
            building_code: string;
            /** @description Name, as the campus writes it. */
            building_name: string;
            /** @description `<building>/<floor>/<room>`, by name. */
            display_text: string;
        };
        /**
         * RoomDetailResponseEnvelope
         * @description A success with its payload.
         */
        RoomDetailResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["RoomDetailResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * RoomInfo
         * @description A room.
         */
        RoomInfo: {
            /** @description Code of the campus; opaque. */
            code: string;
            /** @description Name, as the campus writes it. */
            name: string;
        };
        /**
         * RoomRefreshRefusal
         * @description A failure; `message` repeats `error.message`.
         */
        RoomRefreshRefusal: {
            /** @description Always false. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description The cool-down of the operation; null for the general limits. */
            data: components["schemas"]["ForceRefreshResponse"] | null;
            error: components["schemas"]["ErrorModel"];
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * RotateTokenRequest
         * @description What becomes of the old token.
         */
        RotateTokenRequest: {
            /** @description True: the old token ends at once. Left out: it lives for 24 hours more. */
            now?: boolean;
        };
        /**
         * ScanSignRequest
         * @description A scanned code and where it was scanned.
         */
        ScanSignRequest: {
            /** @description Complete text of the QR code, as scanned. */
            content: string;
            /** @description `longitude,latitude` in decimal degrees. Passed on to the campus, kept nowhere. */
            location: string;
        };
        /**
         * ScanSignResult
         * @description What the campus decided.
         */
        ScanSignResult: {
            /** @description 0: accepted. */
            code: number;
            /** @description What the campus says; may be empty. */
            msg: string;
            /** @description What else the campus says about the sign-in. */
            data: {
                [key: string]: string;
            };
        };
        /**
         * ScanSignResultEnvelope
         * @description What the campus decided, with its payload.
         */
        ScanSignResultEnvelope: {
            /** @description False: the campus refused, `data.code` is not 0. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ScanSignResult"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ScheduleCourse
         * @description A course of the schedule.
         */
        ScheduleCourse: {
            /** @description Course. */
            course_name: string;
            /** @description Course number at the campus. */
            course_code: string;
            /** @description Class number. */
            course_sequence: string;
            /** @description Several names are joined with one blank. */
            teacher_name: string;
            /** @description Kind of course, e.g. `必修`. */
            course_properties: string;
            /** @description Kind of examination, e.g. `考试`. */
            exam_type: string;
            /** @description Credits. May come without a fraction: `1` for `1.0`. */
            unit: number;
            /** @description When and where; empty without a concrete time. */
            time_locations: components["schemas"]["CourseTimeLocation"][];
            /** @description True: the course has no concrete time. */
            is_no_schedule: boolean;
            /** @description E.g. `选中` or `置入`; courses of any status are listed. Null where the campus says none. */
            selection_status: string | null;
            /** @description E.g. `正常` or `重修`; null where the campus says none. */
            study_mode: string | null;
            /** @description Category of the course; often null. */
            category: string | null;
            /** @description Plan that the course belongs to; null where the campus names none. */
            plan_name: string | null;
            /** @description What the campus notes; null without a remark. */
            remark: string | null;
        };
        /**
         * ScheduleData
         * @description The course schedule of a term.
         */
        ScheduleData: {
            /** @description Total credits as the campus states them. May come without a fraction: `1` for `1.0`. */
            total_units: number;
            /** @description The sessions of a day, in order. */
            time_slots: components["schemas"]["TimeSlot"][];
            /** @description The courses of the term. */
            courses: components["schemas"]["ScheduleCourse"][];
            /** @description `total_weeks`, `week_description`, `total_sessions`, `first_day`; `{}` when unknown. */
            semester_info: {
                [key: string]: string;
            };
        };
        /**
         * ScheduleDataEnvelope
         * @description A success with its payload.
         */
        ScheduleDataEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ScheduleData"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * ScoreComponent
         * @description A component of a score. No mark in it is computed.
         */
        ScoreComponent: {
            /** @description Code of the component. */
            score_type_code: string;
            /** @description `课堂成绩`, `实验成绩`, `实践成绩`, else `成绩分类`. */
            score_type: string;
            /** @description Mark of the work during the term; null without one. */
            regular: string | null;
            /** @description Mark of the midterm examination; null without one. */
            midterm: string | null;
            /** @description Mark of the final examination; null without one. */
            final: string | null;
            /** @description Mark of the component; null without one. */
            total: string | null;
            /** @description What the campus notes; may be empty. */
            remark: string;
            /** @description Share of `regular` in the component, 0.3 is 30 %; null where the campus sends none. May come without a fraction: `1` for `1.0`. */
            regular_weight: number | null;
            /** @description Share of `midterm` in the component; null where the campus sends none. May come without a fraction: `1` for `1.0`. */
            midterm_weight: number | null;
            /** @description Share of `final` in the component; null where the campus sends none. May come without a fraction: `1` for `1.0`. */
            final_weight: number | null;
            /** @description Share of the component in the score; null where the campus sends none. May come without a fraction: `1` for `1.0`. */
            weight: number | null;
        };
        /**
         * ScoreRecord
         * @description One row of a score page.
         */
        ScoreRecord: {
            /** @description Row number. */
            sequence: number;
            /** @description Term code, the `term_code` of the list of terms. */
            term_id: string;
            /** @description Course number at the campus. */
            course_code: string;
            /** @description Class number. */
            course_class: string;
            /** @description Course name in Chinese. */
            course_name_cn: string;
            /** @description Course name in English; may be empty. */
            course_name_en: string;
            /** @description Credits as text. */
            credits: string;
            /** @description Teaching hours. */
            hours: number;
            /** @description Kind of course, e.g. `必修`. */
            course_type: string;
            /** @description Kind of examination, e.g. `考试`. */
            exam_type: string;
            /** @description A number or a word grade. */
            score: string;
            /** @description Mark after a retake, a number or a word; null without one. */
            retake_score: string | null;
            /** @description Mark of the make-up examination, a number or a word; null without one. */
            makeup_score: string | null;
        };
        /**
         * ServiceStatus
         * @description What works now.
         */
        ServiceStatus: {
            campus: components["schemas"]["StatusCampus"];
            /**
             * @description `fails`: this service cannot reach its database, or not write to it.
             * @enum {string}
             */
            service: "works" | "fails";
            /** @description In a fixed order. */
            systems: components["schemas"]["SystemStatus"][];
        };
        /**
         * ServiceStatusEnvelope
         * @description A success with its payload.
         */
        ServiceStatusEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["ServiceStatus"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * SessionsResponse
         * @description Where the student is logged in.
         */
        SessionsResponse: {
            /** @description The newest first. */
            sessions: components["schemas"]["TokenSession"][];
        };
        /**
         * SessionsResponseEnvelope
         * @description A success with its payload.
         */
        SessionsResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["SessionsResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * SignItem
         * @description A sign-in of an activity.
         */
        SignItem: {
            /** @description Id of the item. */
            ID: string;
            /** @description 1: sign-in. */
            Type: number;
            /** @description Name of its kind, e.g. `签到`. */
            TypeName: string;
            /** @description Campus time as the campus writes it; empty when unknown. */
            StartTime: string;
            /** @description Campus time as the campus writes it; empty when unknown. */
            EndTime: string;
            /** @description The caller has signed. */
            IsSign: boolean;
            /** @description Empty while not signed. */
            SignTime: string;
        };
        /**
         * SignListResponse
         * @description The sign-ins of an activity.
         */
        SignListResponse: {
            /** @description 0: found. Anything else: refused by the campus. */
            code: number;
            /** @description In the order of the campus. */
            data: components["schemas"]["SignItem"][];
        };
        /**
         * SignListResponseEnvelope
         * @description What the campus decided, with its payload.
         */
        SignListResponseEnvelope: {
            /** @description False: the campus refused, `data.code` is not 0. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["SignListResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * StatusCampus
         * @description The campus behind this service.
         */
        StatusCampus: {
            /** @description In Chinese. */
            zh: string;
            /** @description In English. */
            en: string;
        };
        /**
         * StudentRecord
         * @description Where the student belongs at the campus.
         */
        StudentRecord: {
            /** @description Student id. */
            userid: string;
            /** @description Name; null where the campus shows none or masks it. */
            name: string | null;
            /** @description College; null where the campus shows none. */
            college: string | null;
            /** @description Major; null where the campus shows none. */
            major: string | null;
            /** @description Administrative class, e.g. `会计231`; null where the campus shows none. */
            class_name: string | null;
            /** @description Campus; null where the page shows none. */
            campus: string | null;
            /** @description Year of entry; null where the campus shows none. */
            entry_year: number | null;
        };
        /**
         * StudentRecordEnvelope
         * @description A success with its payload.
         */
        StudentRecordEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["StudentRecord"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * SystemStatus
         * @description A system of the campus, as this process has seen it.
         */
        SystemStatus: {
            /**
             * @description As in `error.system`, logs and metrics.
             * @enum {string}
             */
            name: "portal" | "unified-login" | "academics" | "activity-score" | "labor-club" | "electricity" | "competitions" | "card";
            /**
             * @description `answers`; `fails`: three requests in a row, or it is left alone for a while; `unknown`: nothing was asked of it yet; `not-offered`: this campus has none.
             * @enum {string}
             */
            state: "answers" | "fails" | "unknown" | "not-offered";
            /** @description Of the first failure since its last answer, in campus time; null where it does not fail. */
            fails_since: string | null;
            /** @description When it answered last, in campus time; null: not yet. */
            answered_at: string | null;
        };
        /**
         * TaskOperation
         * @description State of the evaluation task; `idle` also where there is none.
         */
        TaskOperation: {
            task_status: components["schemas"]["TaskStatusEnum"];
        };
        /**
         * TaskOperationEnvelope
         * @description A success with its payload.
         */
        TaskOperationEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["TaskOperation"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * TaskStatusEnum
         * @description State of the task. `paused` is never sent.
         * @enum {string}
         */
        TaskStatusEnum: "idle" | "initializing" | "running" | "paused" | "completed" | "failed" | "terminated";
        /**
         * Teacher
         * @description A teacher of an activity.
         */
        Teacher: {
            /** @description Name of the teacher. */
            UserName: string;
            /** @description Id of the entry. */
            ID: string;
            /** @description Id of the activity. */
            ActivityID: string;
            /** @description Number of the teacher. */
            UserNo: string;
            /** @description It was entered; campus time as the campus writes it, empty when unknown. */
            AddTime: string;
            /** @description Number of the person who entered it. */
            AddUserNo: string;
        };
        /**
         * TermItem
         * @description A term.
         */
        TermItem: {
            /** @description Term code, e.g. `2025-2026-1-1`. */
            term_code: string;
            /** @description Name of the term for people, as the campus writes it; operations take the code. */
            term_name: string;
            /** @description It is the term of today. */
            is_current: boolean;
        };
        /**
         * TermItemListEnvelope
         * @description A success with its payload.
         */
        TermItemListEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description All terms, newest first. */
            data: components["schemas"]["TermItem"][];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * TermScoreResponse
         * @description The scores of a term.
         */
        TermScoreResponse: {
            /** @description Length of `records`. */
            total_count: number;
            /** @description All rows of the term. */
            records: components["schemas"]["ScoreRecord"][];
        };
        /**
         * TermScoreResponseEnvelope
         * @description A success with its payload.
         */
        TermScoreResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["TermScoreResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * TermSums
         * @description Sums of a term, ours: the average of the campus is in `/jwc/academic/info`. Marks in words are in no mean.
         */
        TermSums: {
            /** @description Term code. */
            term_id: string;
            /** @description Courses: each class once, whatever plans it stands in. */
            courses: number;
            /** @description Their credits; null where one of them states none. May come without a fraction: `1` for `1.0`. */
            credits: number | null;
            /** @description Mean by credits of the marks that are numbers; null where there is none. May come without a fraction: `1` for `1.0`. */
            mean: number | null;
            /** @description Credits that `mean` rests on. May come without a fraction: `1` for `1.0`. */
            mean_credits: number;
            /** @description Mean by credits of the grade points; null where the campus states none. May come without a fraction: `1` for `1.0`. */
            grade_point_average: number | null;
            /** @description Credits that `grade_point_average` rests on. May come without a fraction: `1` for `1.0`. */
            grade_point_credits: number;
            /** @description Courses with a mark of a retake or make-up, or with rows that contradict each other: in neither mean. */
            unclear: number;
        };
        /**
         * TimeSlot
         * @description A session of the day.
         */
        TimeSlot: {
            /** @description Session number. */
            session: number;
            /** @description E.g. `第一节`. */
            session_name: string;
            /** @description `HHMM`. */
            start_time: string;
            /** @description `HHMM`. */
            end_time: string;
            /** @description Minutes as text. */
            time_length: string;
            /** @description Index of the large block that the session belongs to. */
            djjc: number;
        };
        /**
         * TokenList
         * @description The personal tokens of the student.
         */
        TokenList: {
            /** @description The newest first. */
            tokens: components["schemas"]["PersonalToken"][];
        };
        /**
         * TokenListEnvelope
         * @description A success with its payload.
         */
        TokenListEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["TokenList"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * TokenRequest
         * @description A personal token to be made.
         */
        TokenRequest: {
            /** @description What its owner calls it; no control characters. */
            name: string;
            /** @description What it may do; `docs/reference/scopes.md` lists the operations of each. */
            scopes: ("profile:read" | "profile:write" | "academics:read" | "scores:read" | "schedule:read" | "exams:read" | "activity:read" | "electricity:read" | "electricity:write" | "labor:read" | "labor:write" | "evaluation:read" | "evaluation:write" | "card:read" | "events" | "export")[];
            /** @description It never causes a request at the campus, no matter what a call says: a copy of any age, else 504 `NO_COPY`. */
            copies_only?: boolean;
            /**
             * @description For how many days it is good; use does not prolong it. May come without a fraction: `1` for `1.0`.
             * @enum {number}
             */
            days: 7 | 30 | 90 | 365;
        };
        /**
         * TokenSession
         * @description A valid token of the student.
         */
        TokenSession: {
            /** @description Names the session; of no use as a token. */
            id: string;
            /** @description Login or registration, in campus time. */
            created_at: string;
            /** @description To the hour; not before `created_at`. */
            last_used_at: string;
            /** @description Network of the last use, IPv4 by its /24 and IPv6 by its /64; null when it is not known. */
            network: string | null;
            /** @description Name of the program that logged in, as its `User-Agent` begins; null when it is not known. */
            client: string | null;
            /** @description It is the token of this call. */
            current: boolean;
        };
        /**
         * TrainingPlanInfo
         * @description The training plan.
         */
        TrainingPlanInfo: {
            /** @description Name of the plan. */
            plan_name: string;
            /** @description Major, cut from the plan name. */
            major_name: string;
            /** @description Four-digit year of entry; empty where the plan name does not tell. */
            grade: string;
        };
        /**
         * TrainingPlanInfoEnvelope
         * @description A success with its payload.
         */
        TrainingPlanInfoEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["TrainingPlanInfo"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * UniISIMInfoResponse
         * @description Electricity of the bound room.
         */
        UniISIMInfoResponse: {
            /** @description Code of the campus; opaque. */
            room_code: string;
            /** @description Name of the room when it was bound. */
            room_text: string;
            /** @description `<building>/<floor>/<room>`; empty for a room that is not in the list. */
            room_display: string;
            balance: components["schemas"]["ElectricityBalance"];
            /** @description In the order of the campus. */
            usage_records: components["schemas"]["ElectricityUsageRecord"][];
            /** @description In the order of the campus. */
            payments: components["schemas"]["PaymentRecord"][];
        };
        /**
         * UniISIMInfoResponseEnvelope
         * @description A success with its payload.
         */
        UniISIMInfoResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["UniISIMInfoResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * UnifiedExamInfo
         * @description An exam.
         */
        UnifiedExamInfo: {
            /** @description Course. */
            course_name: string;
            /** @description `YYYY-MM-DD`; empty when not stated. */
            exam_date: string;
            /** @description E.g. `08:30-10:30`; free text for other exams. */
            exam_time: string;
            /** @description Place. */
            exam_location: string;
            /** @description `校统考` (university-wide) or `其他考试` (other). */
            exam_type: string;
            /** @description Seat `座位号: <n>` of a university-wide exam, remark of another one. */
            note: string;
            /** @description Course number; null where the campus names none. */
            course_code: string | null;
            /** @description Class number; null where the campus names none. */
            course_sequence: string | null;
            /** @description E.g. `期末考试`; null where the campus names none. */
            exam_name: string | null;
            /** @description Teaching week, as the campus prints it; null where it prints none. */
            week: number | null;
            /** @description Number of the admission ticket; null without one. */
            admission_ticket: string | null;
            /** @description What the campus asks for, plain text of at most 500 characters; null without one. */
            hint: string | null;
        };
        /**
         * UserProfileResponse
         * @description The profile of the student.
         */
        UserProfileResponse: {
            /** @description Name to show; may be empty. */
            nickname: string;
            /** @description A line below the name; may be empty. */
            slogan: string;
            /** @description Works for an hour, and is another one in every answer; empty: no image. */
            avatar_url: string;
        };
        /**
         * UserProfileResponseEnvelope
         * @description A success with its payload.
         */
        UserProfileResponseEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["UserProfileResponse"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * UserProfileUpdateRequest
         * @description At least one member; null is the same as left out.
         */
        UserProfileUpdateRequest: {
            /** @description Name to show. */
            nickname?: string | null;
            /** @description A line below the name; empty: cleared. */
            slogan?: string | null;
            /** @description Id from the upload of an avatar; empty: removed. */
            avatar_uuid?: string | null;
        };
        /**
         * V1AcademicInfo
         * @description Academic summary of the student.
         */
        V1AcademicInfo: {
            /** @description Courses completed. */
            count: number;
            /** @description Courses not passed. */
            countNotPass: number;
            /** @description Grade point average. May come without a fraction: `1` for `1.0`. */
            gpa: number;
        };
        /**
         * V1AcademicInfoAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1AcademicInfoAnswer: components["schemas"]["V1AcademicInfoResponse"] | components["schemas"]["V1ErrorResponse"] | components["schemas"]["V1AuthStatus"];
        /**
         * V1AcademicInfoResponse
         * @description A success with its payload.
         */
        V1AcademicInfoResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["V1AcademicInfo"];
        };
        /**
         * V1AllTermsAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1AllTermsAnswer: components["schemas"]["V1AllTermsResponse"] | components["schemas"]["V1ErrorResponse"] | components["schemas"]["V1AuthStatus"];
        /**
         * V1AllTermsResponse
         * @description A success with its payload.
         */
        V1AllTermsResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description Term code to label, newest first. */
            data: {
                [key: string]: string;
            };
        };
        /**
         * V1AuthMeData
         * @description The token of a new login.
         */
        V1AuthMeData: {
            /** @description User token. */
            authme_token: string;
        };
        /**
         * V1AuthStatus
         * @description A credential problem: the token, or the stored campus passwords. Told apart by its shape, it has no `data`.
         */
        V1AuthStatus: {
            /** @description 401: token or session; 400: the campus refuses the stored passwords. */
            code: number;
            /** @description Text for people; programs must not parse it. */
            message: string;
        };
        /**
         * V1AuthmeAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1AuthmeAnswer: components["schemas"]["V1AuthmeEnvelope"] | components["schemas"]["V1AuthmeFailure"];
        /**
         * V1AuthmeEnvelope
         * @description A success with its payload.
         */
        V1AuthmeEnvelope: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["V1AuthmeStatusData"];
        };
        /**
         * V1AuthmeFailure
         * @description A refusal or failure of this operation; HTTP 200.
         */
        V1AuthmeFailure: {
            /** @description 400: refused as asked. 401: the token. 403: not permitted. 408: the body came too slowly. 413: too large. 428: the student has to do what `message` says. 429: too often. 500: the campus or the service failed. 503: overloaded or shutting down, with HTTP status 503. New ones may be added. */
            code: number;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description The state, where it is known. */
            data: components["schemas"]["V1AuthmeStatusData"] | null;
        };
        /**
         * V1AuthmeRequest
         * @description Whose call it is.
         */
        V1AuthmeRequest: {
            /** @description User token from login or registration. */
            token: string;
        };
        /**
         * V1AuthmeStatusData
         * @description Whether the token is good, and whose it is.
         */
        V1AuthmeStatusData: {
            /** @description The token is good. */
            is_logged_in: boolean;
            /** @description Student id; null when not logged in. */
            userid: string | null;
        };
        /**
         * V1BrokenLimit
         * @description The limit that was broken, where a number has one.
         */
        V1BrokenLimit: {
            /** @description Smallest value. May come without a fraction: `1` for `1.0`. */
            ge?: number;
            /** @description Largest value. May come without a fraction: `1` for `1.0`. */
            le?: number;
        };
        /**
         * V1Course
         * @description A course to evaluate.
         */
        V1Course: {
            /** @description Identifiers; null where the campus sends none. */
            id: components["schemas"]["V1CourseId"] | null;
            /** @description What is filled in; null where the campus sends none. */
            questionnaire: components["schemas"]["V1Questionnaire"] | null;
            /** @description Name of the teacher. */
            evaluatedPeople: string;
            /** @description `是` is done; anything else, also empty, is pending. */
            isEvaluated: string;
            /** @description Course name. */
            evaluationContent: string;
        };
        /**
         * V1CourseId
         * @description What identifies a course to evaluate.
         */
        V1CourseId: {
            /** @description Number of the person evaluated, not a name. */
            evaluatedPeople: string;
            /** @description Course sequence number. */
            coureSequenceNumber: string;
            /** @description Course number. */
            evaluationContentNumber: string;
        };
        /**
         * V1CourseInfo
         * @description A course of the evaluation task.
         */
        V1CourseInfo: {
            /** @description Sequence number; not unique. */
            course_id: string;
            /** @description Course. */
            course_name: string;
            /** @description Teacher. */
            teacher_name: string;
            /** @description `是` or `否`, as the campus writes it. */
            is_evaluated: string;
            /** @description Same as `course_name`. */
            evaluation_content: string;
        };
        /**
         * V1CourseListAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1CourseListAnswer: components["schemas"]["V1CourseListResponse"] | components["schemas"]["V1ErrorResponse"] | components["schemas"]["V1AuthStatus"];
        /**
         * V1CourseListResponse
         * @description A success with its payload.
         */
        V1CourseListResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description All courses of the list. */
            data: components["schemas"]["V1Course"][];
        };
        /**
         * V1CourseTimeLocation
         * @description When and where a course takes place.
         */
        V1CourseTimeLocation: {
            /** @description Weekday; 1 is Monday, 7 Sunday. (`weekday` of the current term counts from 0.) */
            class_day: number;
            /** @description First session. */
            class_sessions: number;
            /** @description Number of consecutive sessions. */
            continuing_session: number;
            /** @description Week mask; the first character is week 1. */
            class_week: string;
            /** @description E.g. `1-16周`. */
            week_description: string;
            /** @description Campus. */
            campus_name: string;
            /** @description Building. */
            teaching_building_name: string;
            /** @description Room. */
            classroom_name: string;
        };
        /**
         * V1CurrentCourseInfoAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1CurrentCourseInfoAnswer: components["schemas"]["V1CurrentCourseInfoResponse"] | components["schemas"]["V1ErrorResponse"] | components["schemas"]["V1AuthStatus"];
        /**
         * V1CurrentCourseInfoData
         * @description The course that is being evaluated.
         */
        V1CurrentCourseInfoData: {
            /** @description True exactly while the task is `running`. */
            is_evaluating: boolean;
            /** @description At most 20 characters, then `...`. */
            course_name: string;
            /** @description Teacher. */
            teacher_name: string;
            /** @description For people. */
            progress_text: string;
            /** @description Seconds until this course is submitted. */
            countdown_seconds: number;
            /** @description -1: no current course. */
            current_index: number;
            /** @description Courses not evaluated yet. */
            total_pending: number;
        };
        /**
         * V1CurrentCourseInfoResponse
         * @description A success with its payload.
         */
        V1CurrentCourseInfoResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description Null without a task. */
            data: components["schemas"]["V1CurrentCourseInfoData"] | null;
        };
        /**
         * V1ErrorResponse
         * @description A failure that the application decided: HTTP 200, and 503 only when overloaded or shutting down.
         */
        V1ErrorResponse: {
            /** @description 400: refused as asked. 401: the token. 403: not permitted. 408: the body came too slowly. 413: too large. 428: the student has to do what `message` says. 429: too often. 500: the campus or the service failed. 503: overloaded or shutting down, with HTTP status 503. New ones may be added. */
            code: number;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description Always null. */
            data: Record<string, never> | null;
        };
        /**
         * V1EvaluationStatsAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1EvaluationStatsAnswer: components["schemas"]["V1EvaluationStatsResponse"] | components["schemas"]["V1ErrorResponse"] | components["schemas"]["V1AuthStatus"];
        /**
         * V1EvaluationStatsData
         * @description State and counts of the evaluation task.
         */
        V1EvaluationStatsData: {
            /** @description Courses in the latest list. */
            total_courses: number;
            /** @description Courses of the latest list not evaluated yet. */
            pending_courses: number;
            /** @description Courses evaluated by this run. */
            success_count: number;
            /** @description Courses that this run could not evaluate. */
            fail_count: number;
            /** @description Attempts that have ended: place of the current one, from 0. */
            current_index: number;
            status: components["schemas"]["V1TaskStatusEnum"];
            /** @description Seconds until the current course is submitted. */
            current_countdown: number;
            /**
             * Format: date-time
             * @description Begin of the run.
             */
            start_time: string | null;
            /**
             * Format: date-time
             * @description End of the run.
             */
            end_time: string | null;
            /** @description Why the task failed; of an ended run, how many courses failed. */
            error_message: string;
            /** @description The full list, evaluated courses included. */
            course_list: components["schemas"]["V1CourseInfo"][];
        };
        /**
         * V1EvaluationStatsResponse
         * @description A success with its payload.
         */
        V1EvaluationStatsResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description Null without a task. */
            data: components["schemas"]["V1EvaluationStatsData"] | null;
        };
        /**
         * V1ExamInfoAPIAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1ExamInfoAPIAnswer: components["schemas"]["V1ExamInfoAPIResponse"] | components["schemas"]["V1ErrorResponse"] | components["schemas"]["V1AuthStatus"];
        /**
         * V1ExamInfoAPIResponse
         * @description A success with its payload.
         */
        V1ExamInfoAPIResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["V1ExamInfoResponse"];
        };
        /**
         * V1ExamInfoResponse
         * @description Exams of the current term.
         */
        V1ExamInfoResponse: {
            /** @description Sorted by date as text. */
            exams: components["schemas"]["V1UnifiedExamInfo"][];
            /** @description Length of `exams`. */
            total_count: number;
        };
        /**
         * V1FetchCourseScheduleBody
         * @description Whose call it is, and which term.
         */
        V1FetchCourseScheduleBody: {
            AuthmeRequest: components["schemas"]["V1AuthmeRequest"];
            request: components["schemas"]["V1FetchScheduleRequest"];
        };
        /**
         * V1FetchScheduleRequest
         * @description Which term.
         */
        V1FetchScheduleRequest: {
            /** @description Term code, e.g. `2024-2025-2-1`. */
            plan_code: string;
        };
        /**
         * V1FetchTermScoreBody
         * @description Whose call it is, and which rows.
         */
        V1FetchTermScoreBody: {
            AuthmeRequest: components["schemas"]["V1AuthmeRequest"];
            request: components["schemas"]["V1FetchTermScoreRequest"];
        };
        /**
         * V1FetchTermScoreRequest
         * @description Which rows.
         */
        V1FetchTermScoreRequest: {
            /** @description Term code, e.g. `2024-2025-2-1`. */
            term_id: string;
            /**
             * @description Only rows whose course code contains it; empty: all.
             * @default
             */
            course_code?: string;
            /**
             * @description Only rows whose course name contains it; empty: all.
             * @default
             */
            course_name?: string;
            /**
             * @description Page, from 1.
             * @default 1
             */
            page_num?: number;
            /**
             * @description Rows of a page.
             * @default 50
             */
            page_size?: number;
        };
        /**
         * V1GetUserProfileRequest
         * @description Whose call it is.
         */
        V1GetUserProfileRequest: {
            /** @description User token from login or registration. */
            token: string;
        };
        /**
         * V1HTTPValidationError
         * @description What is wrong with the body.
         */
        V1HTTPValidationError: {
            /** @description Every defect of the body, at most 50. */
            detail: components["schemas"]["V1ValidationError"][];
        };
        /**
         * V1InitializeAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1InitializeAnswer: components["schemas"]["V1InitializeResponse"] | components["schemas"]["V1InitializeFailure"] | components["schemas"]["V1AuthStatus"];
        /**
         * V1InitializeData
         * @description The list of an evaluation task.
         */
        V1InitializeData: {
            /** @description Courses in the list. */
            total_courses: number;
            /** @description Courses not evaluated yet. */
            pending_courses: number;
            /** @description The full list, evaluated courses included. */
            course_list: components["schemas"]["V1CourseInfo"][];
        };
        /**
         * V1InitializeFailure
         * @description A refusal or failure of this operation; HTTP 200.
         */
        V1InitializeFailure: {
            /** @description 400: refused as asked. 401: the token. 403: not permitted. 408: the body came too slowly. 413: too large. 428: the student has to do what `message` says. 429: too often. 500: the campus or the service failed. 503: overloaded or shutting down, with HTTP status 503. New ones may be added. */
            code: number;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description The state, where it is known. */
            data: components["schemas"]["V1InitializeData"] | null;
        };
        /**
         * V1InitializeResponse
         * @description A success with its payload.
         */
        V1InitializeResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["V1InitializeData"];
        };
        /**
         * V1InviteAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1InviteAnswer: components["schemas"]["V1InviteResponse"] | components["schemas"]["V1ErrorResponse"];
        /**
         * V1InviteRequest
         * @description The code to exchange.
         */
        V1InviteRequest: {
            /** @description Invite code, as the operator gave it out. */
            invite_code: string;
        };
        /**
         * V1InviteResponse
         * @description A success with its payload.
         */
        V1InviteResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["V1InviteTokenData"];
        };
        /**
         * V1InviteTokenData
         * @description Permits one registration.
         */
        V1InviteTokenData: {
            /** @description Permits one registration; valid for 30 minutes. */
            invite_token: string;
        };
        /**
         * V1LoginAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1LoginAnswer: components["schemas"]["V1LoginEnvelope"] | components["schemas"]["V1ErrorResponse"];
        /**
         * V1LoginEnvelope
         * @description A success with its payload.
         */
        V1LoginEnvelope: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["V1AuthMeData"];
        };
        /**
         * V1LoginRequest
         * @description Student id and both campus passwords.
         */
        V1LoginRequest: {
            /** @description Student id. */
            userid: string;
            /** @description Password of the unified login. */
            password: string;
            /** @description Password of the VPN portal. */
            vpn_password: string;
        };
        /**
         * V1Questionnaire
         * @description What is filled in for a course.
         */
        V1Questionnaire: {
            /** @description Questionnaire id. */
            questionnaireNumber: string;
            /** @description Questionnaire title. */
            questionnaireName: string;
        };
        /**
         * V1RegisterAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1RegisterAnswer: components["schemas"]["V1RegisterEnvelope"] | components["schemas"]["V1ErrorResponse"];
        /**
         * V1RegisterEnvelope
         * @description A success with its payload.
         */
        V1RegisterEnvelope: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["V1AuthMeData"];
        };
        /**
         * V1RegisterRequest
         * @description Student id, both campus passwords and an invite token.
         */
        V1RegisterRequest: {
            /** @description Student id. */
            userid: string;
            /** @description Password of the unified login. */
            password: string;
            /** @description Password of the VPN portal. */
            vpn_password: string;
            /** @description From the verification of an invite code. */
            invite_token: string;
        };
        /**
         * V1ScheduleAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1ScheduleAnswer: components["schemas"]["V1ScheduleResponse"] | components["schemas"]["V1ErrorResponse"] | components["schemas"]["V1AuthStatus"];
        /**
         * V1ScheduleCourse
         * @description A course of the schedule.
         */
        V1ScheduleCourse: {
            /** @description Course. */
            course_name: string;
            /** @description Course number at the campus. */
            course_code: string;
            /** @description Class number. */
            course_sequence: string;
            /** @description Several names are joined with one blank. */
            teacher_name: string;
            /** @description Kind of course, e.g. `必修`. */
            course_properties: string;
            /** @description Kind of examination, e.g. `考试`. */
            exam_type: string;
            /** @description Credits. May come without a fraction: `1` for `1.0`. */
            unit: number;
            /** @description When and where; empty without a concrete time. */
            time_locations: components["schemas"]["V1CourseTimeLocation"][];
            /** @description True when the course has no concrete time. */
            is_no_schedule: boolean;
        };
        /**
         * V1ScheduleData
         * @description The course schedule of a term.
         */
        V1ScheduleData: {
            /** @description Total credits as the campus states them. May come without a fraction: `1` for `1.0`. */
            total_units: number;
            /** @description The sessions of a day, in order. */
            time_slots: components["schemas"]["V1TimeSlot"][];
            /** @description The courses of the term. */
            courses: components["schemas"]["V1ScheduleCourse"][];
            /** @description `total_weeks`, `week_description`, `total_sessions`, `first_day`; `{}` when unknown. */
            semester_info: {
                [key: string]: string;
            };
        };
        /**
         * V1ScheduleResponse
         * @description A success with its payload.
         */
        V1ScheduleResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["V1ScheduleData"];
        };
        /**
         * V1ScoreCategory
         * @description A category of the activity score with its items.
         */
        V1ScoreCategory: {
            /** @description Id at the campus. */
            ID: string;
            /** @description Number to show. */
            ShowNum: number;
            /** @description The category. */
            TypeName: string;
            /** @description Sum of its items. May come without a fraction: `1` for `1.0`. */
            TotalScore: number;
            /** @description Its items. */
            children: components["schemas"]["V1ScoreItem"][];
        };
        /**
         * V1ScoreInfo
         * @description The total of the activity score.
         */
        V1ScoreInfo: {
            /** @description The total, as the campus has computed it. May come without a fraction: `1` for `1.0`. */
            TotalScore: number;
            /** @description The requirement for graduation is met. */
            IsTypeAdopt: boolean;
            /** @description Why it is not met. */
            TypeAdoptResult: string;
        };
        /**
         * V1ScoreInfoAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1ScoreInfoAnswer: components["schemas"]["V1ScoreInfoResponse"] | components["schemas"]["V1ErrorResponse"] | components["schemas"]["V1AuthStatus"];
        /**
         * V1ScoreInfoResponse
         * @description A success with its payload.
         */
        V1ScoreInfoResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["V1ScoreInfo"];
        };
        /**
         * V1ScoreItem
         * @description An item of the activity score.
         */
        V1ScoreItem: {
            /** @description Id at the campus. */
            ID: string;
            /** @description The activity. */
            Title: string;
            /** @description Its category. */
            TypeName: string;
            /** @description Student number. */
            UserNo: string;
            /** @description Points. May come without a fraction: `1` for `1.0`. */
            Score: number;
            /** @description As the campus writes it: `2024-03-15 10:30:00` or `2024/09/02`. */
            AddTime: string;
        };
        /**
         * V1ScoreListAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1ScoreListAnswer: components["schemas"]["V1ScoreListResponse"] | components["schemas"]["V1ErrorResponse"] | components["schemas"]["V1AuthStatus"];
        /**
         * V1ScoreListResponse
         * @description A success with its payload.
         */
        V1ScoreListResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description All categories. */
            data: components["schemas"]["V1ScoreCategory"][];
        };
        /**
         * V1ScoreRecord
         * @description One row of a score page.
         */
        V1ScoreRecord: {
            /** @description Row number. */
            sequence: number;
            /** @description Term code, the `term_code` of the list of terms. */
            term_id: string;
            /** @description Course number at the campus. */
            course_code: string;
            /** @description Class number. */
            course_class: string;
            /** @description Course name in Chinese. */
            course_name_cn: string;
            /** @description Course name in English; may be empty. */
            course_name_en: string;
            /** @description Credits as text. */
            credits: string;
            /** @description Teaching hours. */
            hours: number;
            /** @description Kind of course, e.g. `必修`. */
            course_type: string;
            /** @description Kind of examination, e.g. `考试`. */
            exam_type: string;
            /** @description A number or a word grade. */
            score: string;
            /** @description Mark after a retake, a number or a word; null without one. */
            retake_score: string | null;
            /** @description Mark of the make-up examination, a number or a word; null without one. */
            makeup_score: string | null;
        };
        /**
         * V1TaskOperationAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1TaskOperationAnswer: components["schemas"]["V1TaskOperationResponse"] | components["schemas"]["V1TaskOperationFailure"] | components["schemas"]["V1AuthStatus"];
        /**
         * V1TaskOperationData
         * @description State of the evaluation task.
         */
        V1TaskOperationData: {
            task_status: components["schemas"]["V1TaskStatusEnum"];
        };
        /**
         * V1TaskOperationFailure
         * @description A refusal or failure of this operation; HTTP 200.
         */
        V1TaskOperationFailure: {
            /** @description 400: refused as asked. 401: the token. 403: not permitted. 408: the body came too slowly. 413: too large. 428: the student has to do what `message` says. 429: too often. 500: the campus or the service failed. 503: overloaded or shutting down, with HTTP status 503. New ones may be added. */
            code: number;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description The state, where it is known. */
            data: components["schemas"]["V1TaskOperationData"] | null;
        };
        /**
         * V1TaskOperationResponse
         * @description A success with its payload.
         */
        V1TaskOperationResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["V1TaskOperationData"];
        };
        /**
         * V1TaskStatusEnum
         * @description State of the task. `paused` is never sent.
         * @enum {string}
         */
        V1TaskStatusEnum: "idle" | "initializing" | "running" | "paused" | "completed" | "failed" | "terminated";
        /**
         * V1TermScoreAPIAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1TermScoreAPIAnswer: components["schemas"]["V1TermScoreAPIResponse"] | components["schemas"]["V1ErrorResponse"] | components["schemas"]["V1AuthStatus"];
        /**
         * V1TermScoreAPIResponse
         * @description A success with its payload.
         */
        V1TermScoreAPIResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["V1TermScoreResponse"];
        };
        /**
         * V1TermScoreResponse
         * @description The scores of a term.
         */
        V1TermScoreResponse: {
            /** @description Rows of a page, as asked for. */
            page_size: number;
            /** @description Page, as asked for. */
            page_num: number;
            /** @description All matching rows, of all pages. */
            total_count: number;
            /** @description The rows of this page. */
            records: components["schemas"]["V1ScoreRecord"][];
        };
        /**
         * V1TimeSlot
         * @description A session of the day.
         */
        V1TimeSlot: {
            /** @description Session number. */
            session: number;
            /** @description E.g. `第一节`. */
            session_name: string;
            /** @description `HHMM`. */
            start_time: string;
            /** @description `HHMM`. */
            end_time: string;
            /** @description Minutes as text. */
            time_length: string;
            /** @description Index of the large block that the session belongs to. */
            djjc: number;
        };
        /**
         * V1TrainingPlanInfo
         * @description The training plan.
         */
        V1TrainingPlanInfo: {
            /** @description Plan name, e.g. `2023级软件工程本科培养方案`. */
            pyfa: string;
            /** @description Label of the current term, e.g. `2024-2025春季学期`; empty when unknown. */
            term: string;
            /** @description Courses completed; 0 when unknown. */
            courseCount: number;
            /** @description Major, cut from the plan name. */
            major: string;
            /** @description Four-digit year of entry, cut from the plan name. */
            grade: string;
        };
        /**
         * V1TrainingPlanInfoAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1TrainingPlanInfoAnswer: components["schemas"]["V1TrainingPlanInfoResponse"] | components["schemas"]["V1ErrorResponse"] | components["schemas"]["V1AuthStatus"];
        /**
         * V1TrainingPlanInfoResponse
         * @description A success with its payload.
         */
        V1TrainingPlanInfoResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["V1TrainingPlanInfo"];
        };
        /**
         * V1UnifiedExamInfo
         * @description An exam.
         */
        V1UnifiedExamInfo: {
            /** @description Course. */
            course_name: string;
            /** @description `YYYY-MM-DD`; empty when not stated. */
            exam_date: string;
            /** @description E.g. `08:30-10:30`; free text for other exams. */
            exam_time: string;
            /** @description Place. */
            exam_location: string;
            /** @description `校统考` (university-wide) or `其他考试` (other). */
            exam_type: string;
            /** @description Seat `座位号: <n>` of a university-wide exam, remark of another one. */
            note: string;
        };
        /**
         * V1UpdateUserProfileRequest
         * @description What to change.
         */
        V1UpdateUserProfileRequest: {
            /** @description User token from login or registration. */
            token: string;
            /** @description Base64 or data URI of a PNG, JPEG, GIF or WebP image; empty: removed; null or left out: unchanged. At most 2 MiB decoded. */
            avatar?: string | null;
            /** @description Base64 or data URI of a PNG, JPEG, GIF or WebP image; empty: removed; null or left out: unchanged. At most 8 MiB decoded. */
            background?: string | null;
            /** @description At most 100 characters; null or left out: unchanged. */
            nickname?: string | null;
            /** @description The whole set, as an object or as its JSON text; null or left out: unchanged. */
            settings?: components["schemas"]["V1UserSettings"] | (string | null);
        };
        /**
         * V1UserProfileAnswer
         * @description Told apart by `code`; without `data`: a credential problem.
         */
        V1UserProfileAnswer: components["schemas"]["V1UserProfileResponse"] | components["schemas"]["V1ErrorResponse"];
        /**
         * V1UserProfileData
         * @description The profile of the student.
         */
        V1UserProfileData: {
            /** @description Student id. */
            userid: string;
            /** @description Data URI; null without one. */
            avatar: string | null;
            /** @description Data URI; null without one. */
            background: string | null;
            /** @description Null when it was never set. */
            nickname: string | null;
            /** @description Null when they were never set. */
            settings: components["schemas"]["V1UserSettings"] | null;
        };
        /**
         * V1UserProfileResponse
         * @description A success with its payload.
         */
        V1UserProfileResponse: {
            /**
             * @description Success. Failures have other codes and other shapes.
             * @constant
             */
            code: 200;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["V1UserProfileData"];
        };
        /**
         * V1UserSettings
         * @description Always a complete set.
         */
        V1UserSettings: {
            /**
             * @description Kept as sent.
             * @enum {string}
             */
            theme: "light" | "dark" | "system" | "ThemeMode.light" | "ThemeMode.dark" | "ThemeMode.system";
            /** @description 0 transparent, 1 opaque. May come without a fraction: `1` for `1.0`. */
            lightModeOpacity: number;
            /** @description 0 dark, 1 bright. May come without a fraction: `1` for `1.0`. */
            lightModeBrightness: number;
            /** @description 0 transparent, 1 opaque. May come without a fraction: `1` for `1.0`. */
            darkModeOpacity: number;
            /** @description 0 dark, 1 bright. May come without a fraction: `1` for `1.0`. */
            darkModeBrightness: number;
            /** @description Blur of the background. May come without a fraction: `1` for `1.0`. */
            backgroundBlur: number;
        };
        /**
         * V1ValidationError
         * @description One defect of a body; more members may stand beside these.
         */
        V1ValidationError: {
            /** @description Path to the offending value, starting with `body`. */
            loc: (number | string)[];
            /** @description What is wrong, for developers; in Chinese where `Accept-Language` wants it. */
            msg: string;
            /** @description Machine-readable kind of the defect. */
            type: string;
            ctx?: components["schemas"]["V1BrokenLimit"];
        };
        /**
         * ValidationErrorDetail
         * @description One defect of a request.
         */
        ValidationErrorDetail: {
            /** @description Source (`body`, `query`, `path`, `header`), then member names and array indexes. */
            loc: (string | number)[];
            /** @description What is wrong, for developers; in Chinese where `Accept-Language` wants it. */
            msg: string;
            /** @description Machine-readable kind, e.g. `missing`, `string_type`, `json_invalid`. */
            type: string;
            ctx?: components["schemas"]["BrokenLimit"];
        };
        /**
         * ValidationErrorModel
         * @description What is wrong with the request.
         */
        ValidationErrorModel: {
            /** @description Text for people. */
            message: string;
            code: components["schemas"]["ErrorCode"];
            /** @description Also in the header `X-Trace-Id`. */
            trace_id: string;
            /** @description Every defect of the request, at most 50. */
            details: components["schemas"]["ValidationErrorDetail"][];
            /** @description The same call, sent once more after `Retry-After` or a few seconds, may succeed and does no harm. */
            retryable: boolean;
        };
        /**
         * ValidationFailureEnvelope
         * @description A failure; `message` repeats `error.message`.
         */
        ValidationFailureEnvelope: {
            /** @description Always false. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            /** @description Always null. */
            data: Record<string, never> | null;
            error: components["schemas"]["ValidationErrorModel"];
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
        /**
         * WholeRecord
         * @description Every score of the student, of all terms.
         */
        WholeRecord: {
            /**
             * @description How it was read: `scheme` from the page of the campus for it, `all_terms` or `term_by_term` from the score list where there is no such page.
             * @enum {string}
             */
            source: "scheme" | "all_terms" | "term_by_term";
            /** @description Length of `records`. */
            total_count: number;
            /** @description Rows passed, of all rows, by our rule. */
            passed_count: number;
            /** @description Rows not passed, of all rows, by our rule. */
            failed_count: number;
            /** @description Rows whose marks say nothing, of all rows. */
            undecided_count: number;
            /** @description Training plans; empty unless `source` is `scheme`. */
            groups: components["schemas"]["RecordGroup"][];
            /** @description In the order of the campus; a course of two plans is two rows. */
            records: components["schemas"]["RecordRow"][];
            /** @description Sums of every term, whatever the filter; latest first. */
            terms: components["schemas"]["TermSums"][];
            /** @description Rows that name no term and are in none of these sums. */
            rows_without_term: number;
        };
        /**
         * WholeRecordEnvelope
         * @description A success with its payload.
         */
        WholeRecordEnvelope: {
            /** @description Always true. */
            success: boolean;
            /** @description Text for people; programs must not parse it. */
            message: string;
            data: components["schemas"]["WholeRecord"];
            /** @description Always null. */
            error: Record<string, never> | null;
            /** @description Campus time, no zone designator: the moment the answer was built. */
            timestamp: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    alive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AliveEnvelope"];
                };
            };
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadyEnvelope"];
                };
            };
        };
    };
    getCampus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取校园信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampusEnvelope"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: {
                /** @description Kinds that go on after changed passwords, separated by commas; empty: none. Left out: `feeds`. */
                "X-Keep"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Student id and both campus passwords. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description 登录成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginTokenEnvelope"];
                };
            };
        };
    };
    verifyInviteCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The code to exchange. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteCodeRequest"];
            };
        };
        responses: {
            /** @description 邀请码验证成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteCodeResponseEnvelope"];
                };
            };
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Student id, both campus passwords and an invite token. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterRequest"];
            };
        };
        responses: {
            /** @description 注册成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisterTokenEnvelope"];
                };
            };
        };
    };
    getChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a challenge: who has it needs no token.
                 * @example ZXhhbXBsZS1jaGFsbGVuZ2UtZm9yLXRoZS1kb2N1bWVudC0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 验证已完成 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChallengeStateEnvelope"];
                };
            };
        };
    };
    deleteChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a challenge: who has it needs no token.
                 * @example ZXhhbXBsZS1jaGFsbGVuZ2UtZm9yLXRoZS1kb2N1bWVudC0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 已取消验证 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneEnvelope"];
                };
            };
        };
    };
    sendChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a challenge: who has it needs no token.
                 * @example ZXhhbXBsZS1jaGFsbGVuZ2UtZm9yLXRoZS1kb2N1bWVudC0
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description Where a code is to be sent. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChallengeSendRequest"];
            };
        };
        responses: {
            /** @description 验证已完成 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChallengeStateEnvelope"];
                };
            };
        };
    };
    answerChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a challenge: who has it needs no token.
                 * @example ZXhhbXBsZS1jaGFsbGVuZ2UtZm9yLXRoZS1kb2N1bWVudC0
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description What the student has read off. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChallengeAnswerRequest"];
            };
        };
        responses: {
            /** @description 登录成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChallengeAnsweredEnvelope"];
                };
            };
        };
    };
    beginChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 验证已完成 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChallengeStateEnvelope"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取个人令牌成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenListEnvelope"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A personal token to be made. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description 个人令牌创建成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeTokenEnvelope"];
                };
            };
        };
    };
    deleteToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a personal token.
                 * @example 3c9a51e07b2d48f6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 个人令牌已删除 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneEnvelope"];
                };
            };
        };
    };
    renameToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a personal token.
                 * @example 3c9a51e07b2d48f6
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description A new name. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameTokenRequest"];
            };
        };
        responses: {
            /** @description 个人令牌已重命名 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneEnvelope"];
                };
            };
        };
    };
    rotateToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a personal token.
                 * @example 3c9a51e07b2d48f6
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description What becomes of the old token. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateTokenRequest"];
            };
        };
        responses: {
            /** @description 个人令牌轮换成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeTokenEnvelope"];
                };
            };
        };
    };
    checkToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Token 验证成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthMeResponseEnvelope"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 退出登录成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneEnvelope"];
                };
            };
        };
    };
    logoutEverywhere: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What a logout everywhere leaves alone. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LogoutEverywhereRequest"];
            };
        };
        responses: {
            /** @description 退出登录成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneEnvelope"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取登录会话成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsResponseEnvelope"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description `hooks`: the hooks that the session has made go on. Left out: they end. */
                "X-Keep"?: string;
            };
            path: {
                /**
                 * @description Id of a session.
                 * @example 5f2c8a1e9b3d4706
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 已退出该会话 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneEnvelope"];
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Both passwords, as they are stored. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountDeletionRequest"];
            };
        };
        responses: {
            /** @description 账号已删除 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneEnvelope"];
                };
            };
        };
    };
    deleteAccountByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Both passwords, as they are stored. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountDeletionRequest"];
            };
        };
        responses: {
            /** @description 账号已删除 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneEnvelope"];
                };
            };
        };
    };
    getUserProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取用户资料成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserProfileResponseEnvelope"];
                };
            };
        };
    };
    updateUserProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At least one member; null is the same as left out. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserProfileUpdateRequest"];
            };
        };
        responses: {
            /** @description 更新用户资料成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserProfileResponseEnvelope"];
                };
            };
        };
    };
    getAvatarMd5: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取用户头像的 MD5 值成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AvatarMD5ResponseEnvelope"];
                };
            };
        };
    };
    getClientProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取客户端资料成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientProfileResponseEnvelope"];
                };
            };
        };
    };
    updateClientProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At least one member; null is the same as left out. `false`, `0` and the empty text are values. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClientProfileUpdateRequest"];
            };
        };
        responses: {
            /** @description 更新客户端资料成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientProfileResponseEnvelope"];
                };
            };
        };
    };
    getBackgroundMd5: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Which of the two backgrounds.
                 * @example dark
                 */
                mode: components["schemas"]["FlutterImageMode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取背景图片 MD5 值成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientImageMD5ResponseEnvelope"];
                };
            };
        };
    };
    getAcademicInfo: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取学业信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcademicInfoEnvelope"];
                };
            };
        };
    };
    listTerms: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取学期信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermItemListEnvelope"];
                };
            };
        };
    };
    listTermScores: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Term code: year-year-term-index, e.g. `2025-2026-1-1`; term 1 is autumn, 2 is spring.
                 * @example 2025-2026-1-1
                 */
                term_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取成绩单成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermScoreResponseEnvelope"];
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Term code: year-year-term-index, e.g. `2025-2026-1-1`; term 1 is autumn, 2 is spring.
                 * @example 2025-2026-1-1
                 */
                term_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取课表信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleDataEnvelope"];
                };
            };
        };
    };
    getTrainingPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取培养方案信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingPlanInfoEnvelope"];
                };
            };
        };
    };
    getCourseSelectionStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取选课状态成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourseSelectionStatusEnvelope"];
                };
            };
        };
    };
    getCurrentTerm: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取当前学期信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentTermInfoEnvelope"];
                };
            };
        };
    };
    getExamInfo: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取考试信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExamInfoResponseEnvelope"];
                };
            };
        };
    };
    listPlanOptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取培养方案选项成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanOptionsEnvelope"];
                };
            };
        };
    };
    getPlanCompletion: {
        parameters: {
            query?: {
                /**
                 * @description A `plan_id` of `/jwc/plan/options`; the default plan without it.
                 * @example 7351
                 */
                plan_id?: string;
                /**
                 * @description `true`: where nothing is passed, also what the scores of all terms say. It may take long.
                 * @example true
                 */
                estimate?: boolean;
            };
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取培养方案完成信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanCompletionInfoEnvelope"];
                };
            };
        };
    };
    listCurrentScores: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取本学期成绩成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentScoreResponseEnvelope"];
                };
            };
        };
    };
    getCurrentScoreDetail: {
        parameters: {
            query: {
                /**
                 * @description Term code: year-year-term-index, e.g. `2025-2026-1-1`; term 1 is autumn, 2 is spring.
                 * @example 2025-2026-1-1
                 */
                term_code: string;
                /**
                 * @description `course_code` of the score.
                 * @example CS1001
                 */
                course_code: string;
                /**
                 * @description `course_class` of the score.
                 * @example 01
                 */
                course_class: string;
                /**
                 * @description `exam_time` of the score, unchanged; may be empty.
                 * @example 20260112
                 */
                exam_time: string;
            };
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取成绩明细成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentScoreDetailEnvelope"];
                };
            };
        };
    };
    getWholeRecord: {
        parameters: {
            query?: {
                /**
                 * @description Only rows that are passed, or that are not; rows without a verdict are neither.
                 * @example true
                 */
                passed?: boolean;
            };
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取全部成绩成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeRecordEnvelope"];
                };
            };
        };
    };
    getStudentRecord: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取学籍信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudentRecordEnvelope"];
                };
            };
        };
    };
    listOfferingTerms: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取开课学期成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferingTermListEnvelope"];
                };
            };
        };
    };
    searchOfferings: {
        parameters: {
            query: {
                /**
                 * @description Term code: year-year-term-index, e.g. `2025-2026-1-1`; term 1 is autumn, 2 is spring.
                 * @example 2025-2026-1-1
                 */
                term_code: string;
                /**
                 * @description The whole code. It is asked for at the campus by itself while the term is not read yet.
                 * @example MAT1102004
                 */
                course_code?: string;
                /**
                 * @description Part of the name, in any case and width.
                 * @example 线性代数
                 */
                course_name?: string;
                /**
                 * @description Part of the name of a teacher.
                 * @example 许静
                 */
                teacher?: string;
                /**
                 * @description 1 is Monday, 7 Sunday, as in `class_day`.
                 * @example 1
                 */
                weekday?: number;
                /**
                 * @description A session that it covers, on `weekday` if given.
                 * @example 2
                 */
                session?: number;
                /**
                 * @description Exactly.
                 * @example 数学学院
                 */
                department?: string;
                /**
                 * @description Exactly.
                 * @example 专业必修课
                 */
                category?: string;
                /**
                 * @description Exactly.
                 * @example 东校区
                 */
                campus_name?: string;
                /**
                 * @description Only classes with places left.
                 * @example true
                 */
                places_left?: boolean;
                /**
                 * @description From 1.
                 * @example 1
                 */
                page_index?: number;
                /**
                 * @description Classes on a page.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取开课信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferingPageEnvelope"];
                };
            };
        };
    };
    getClassFilters: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取班级筛选条件成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClassFiltersEnvelope"];
                };
            };
        };
    };
    listClassMajors: {
        parameters: {
            query: {
                /**
                 * @description A `department_code` of the filters.
                 * @example 08
                 */
                department_code: string;
            };
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取专业列表成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClassMajorListEnvelope"];
                };
            };
        };
    };
    listClasses: {
        parameters: {
            query: {
                /**
                 * @description Term code: year-year-term-index, e.g. `2025-2026-1-1`; term 1 is autumn, 2 is spring.
                 * @example 2025-2026-1-1
                 */
                term_code: string;
                /**
                 * @description A `department_code` of the filters.
                 * @example 08
                 */
                department_code: string;
                /**
                 * @description A `major_code` of the department.
                 * @example 0801
                 */
                major_code?: string;
                /**
                 * @description Year of entry.
                 * @example 2023
                 */
                grade?: string;
                /**
                 * @description From 1.
                 * @example 1
                 */
                page_index?: number;
            };
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取班级列表成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClassPageEnvelope"];
                };
            };
        };
    };
    getClassSchedule: {
        parameters: {
            query: {
                /**
                 * @description Term code: year-year-term-index, e.g. `2025-2026-1-1`; term 1 is autumn, 2 is spring.
                 * @example 2025-2026-1-1
                 */
                term_code: string;
            };
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description A `class_code` of the classes.
                 * @example 230714
                 */
                class_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取班级课表成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClassScheduleEnvelope"];
                };
            };
        };
    };
    getHome: {
        parameters: {
            query?: {
                /**
                 * @description Parts, separated by commas, each at most once: `term`, `today`, `next`, `exams`, `summary`, `card`, `electricity`, `activity`, `labor`, `evaluation`.
                 * @example term,today,exams,summary
                 */
                include?: string;
            };
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取首页信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HomeEnvelope"];
                };
            };
        };
    };
    getCompetitionInfo: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取竞赛信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompetitionFullResponseEnvelope"];
                };
            };
        };
    };
    getCardBalance: {
        parameters: {
            query?: {
                /**
                 * @description With the state of account and card: one more request to the campus, and both must succeed.
                 * @example true
                 */
                state?: boolean;
            };
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取校园卡余额成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardBalanceEnvelope"];
                };
            };
        };
    };
    listCardTransactions: {
        parameters: {
            query?: {
                /**
                 * @description First day. Left out: 29 days before `to`.
                 * @example 2026-03-18
                 */
                from?: string;
                /**
                 * @description Last day, at most 30 days behind `from`. Left out: today, or 30 days behind `from` where that is earlier.
                 * @example 2026-03-18
                 */
                to?: string;
            };
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取校园卡流水成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardTransactionsEnvelope"];
                };
            };
        };
    };
    listCardPurchases: {
        parameters: {
            query?: {
                /**
                 * @description First day. Left out: 29 days before `to`.
                 * @example 2026-03-18
                 */
                from?: string;
                /**
                 * @description Last day, at most 30 days behind `from`. Left out: today, or 30 days behind `from` where that is earlier.
                 * @example 2026-03-18
                 */
                to?: string;
            };
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取校园卡购电记录成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardPurchasesEnvelope"];
                };
            };
        };
    };
    getCreditInfo: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取活动分总分信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditInfoEnvelope"];
                };
            };
        };
    };
    listCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取活动分明细成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditCategoryListEnvelope"];
                };
            };
        };
    };
    listRooms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取寝室列表成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CacheRoomsDataEnvelope"];
                };
            };
        };
    };
    listBuildings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取楼栋列表成功，共 1 个楼栋 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuildingListResponseEnvelope"];
                };
            };
        };
    };
    getBuilding: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Code of the campus; opaque.
                 * @example 01
                 */
                building_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取楼栋 01 信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CacheRoomsDataEnvelope"];
                };
            };
        };
    };
    getFloor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Code of the campus; opaque.
                 * @example 0101
                 */
                floor_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取楼层 0101 的房间信息成功，共 1 个房间 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FloorRoomsResponseEnvelope"];
                };
            };
        };
    };
    getRoom: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Code of the campus; opaque.
                 * @example 010101
                 */
                room_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取房间 010101 的详细信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoomDetailResponseEnvelope"];
                };
            };
        };
    };
    bindRoom: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The room to bind. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BindRoomRequest"];
            };
        };
        responses: {
            /** @description 宿舍绑定成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoundRoomEnvelope"];
                };
            };
        };
    };
    getBoundRoom: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取宿舍信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentRoomResponseEnvelope"];
                };
            };
        };
    };
    getElectricity: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取寝室电费信息成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UniISIMInfoResponseEnvelope"];
                };
            };
        };
    };
    refreshRooms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 房间列表刷新成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForceRefreshResponseEnvelope"];
                };
            };
        };
    };
    getLaborProgress: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取劳动俱乐部修课进度成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LDJLBProgressInfoEnvelope"];
                };
            };
        };
    };
    listJoinedActivities: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取已加入的劳动活动列表成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LDJLBActivityListResponseEnvelope"];
                };
            };
        };
    };
    listJoinedClubs: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取已加入的劳动俱乐部列表成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LDJLBClubListResponseEnvelope"];
                };
            };
        };
    };
    listClubActivities: {
        parameters: {
            query?: {
                /**
                 * @description Page, from 1.
                 * @example 1
                 */
                page_index?: number;
                /**
                 * @description Activities on a page.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Id of a club, from the directory or the list of joined clubs.
                 * @example c1
                 */
                club_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取俱乐部活动列表成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LDJLBActivityListResponseEnvelope"];
                };
            };
        };
    };
    applyForActivity: {
        parameters: {
            query?: {
                /**
                 * @description Shown to those who examine applications.
                 * @example 希望参与劳动实践
                 */
                reason?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of an activity, from a list of activities.
                 * @example a1
                 */
                activity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 报名成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LDJLBApplyResponseEnvelope"];
                };
            };
        };
    };
    scanSign: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A scanned code and where it was scanned. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScanSignRequest"];
            };
        };
        responses: {
            /** @description 签到完成 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanSignResultEnvelope"];
                };
            };
        };
    };
    listSignItems: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Id of an activity, from a list of activities.
                 * @example a1
                 */
                activity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取签到列表成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignListResponseEnvelope"];
                };
            };
        };
    };
    getActivityDetail: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Id of an activity, from a list of activities.
                 * @example a1
                 */
                activity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取活动详情成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityDetailResponseEnvelope"];
                };
            };
        };
    };
    listClubs: {
        parameters: {
            query?: {
                /**
                 * @description Page, from 1.
                 * @example 1
                 */
                page_index?: number;
                /**
                 * @description Clubs on a page.
                 * @example 20
                 */
                page_size?: number;
                /**
                 * @description Part of the name, in any case; blanks at its ends do not count. Empty: all clubs.
                 * @example 劳动
                 */
                keyword?: string;
            };
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取劳动俱乐部目录成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LDJLBClubDirectoryEnvelope"];
                };
            };
        };
    };
    listClubApplications: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取俱乐部申请记录成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LDJLBClubApplicationsEnvelope"];
                };
            };
        };
    };
    applyForClub: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a club, from the directory or the list of joined clubs.
                 * @example c1
                 */
                club_id: string;
            };
            cookie?: never;
        };
        /** @description An application for a club. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LDJLBClubJoinRequest"];
            };
        };
        responses: {
            /** @description 申请已提交 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LDJLBApplyResponseEnvelope"];
                };
            };
        };
    };
    listEvaluationCourses: {
        parameters: {
            query?: never;
            header?: {
                /** @description How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`. */
                "Cache-Control"?: string;
                /** @description `only`: as `only-if-cached`, for clients that keep that one to themselves. */
                "X-Copy"?: string;
                /** @description The `ETag` of the answer that the client has: 304 while it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 评教课程列表获取成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourseListEnvelope"];
                };
            };
        };
    };
    initializeEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 初始化完成，找到 1 门待评价课程 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationInitializedEnvelope"];
                };
            };
        };
    };
    startEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Which courses a run takes: one of the two members, or none, which leaves out what is shown as `excluded`. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EvaluationStartRequest"];
            };
        };
        responses: {
            /** @description 任务已启动 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskOperationEnvelope"];
                };
            };
        };
    };
    terminateEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 任务已终止 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskOperationEnvelope"];
                };
            };
        };
    };
    getEvaluationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 服务器倒计时: 95 秒 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationStatusEnvelope"];
                };
            };
        };
    };
    getEvaluatedCourse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentCourseEnvelope"];
                };
            };
        };
    };
    previewEvaluation: {
        parameters: {
            query: {
                /**
                 * @description `course_key` of a course in `course_list`.
                 * @example 5f70bf18a086007016e948b0
                 */
                course_key: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 评教预览获取成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationPreviewEnvelope"];
                };
            };
        };
    };
    editEvaluationPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Answers of a student's own for one course. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationEditRequest"];
            };
        };
        responses: {
            /** @description 评教预览修改成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationPreviewEnvelope"];
                };
            };
        };
    };
    listFeeds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取日历订阅成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedListEnvelope"];
                };
            };
        };
    };
    createFeed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A calendar feed to be made. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedRequest"];
            };
        };
        responses: {
            /** @description 日历订阅创建成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedFeedEnvelope"];
                };
            };
        };
    };
    deleteFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a feed.
                 * @example 7d1f0a94c2b85e36
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 日历订阅已删除 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneEnvelope"];
                };
            };
        };
    };
    listHooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取事件推送成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookListEnvelope"];
                };
            };
        };
    };
    createHook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A hook to be made. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["HookRequest"];
            };
        };
        responses: {
            /** @description 事件推送创建成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeHookEnvelope"];
                };
            };
        };
    };
    deleteHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a hook.
                 * @example 8c1e40b97a5d23f6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 事件推送已删除 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneEnvelope"];
                };
            };
        };
    };
    changeHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a hook.
                 * @example 8c1e40b97a5d23f6
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description What is to be different. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["HookChangeRequest"];
            };
        };
        responses: {
            /** @description 事件推送已修改 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookEnvelope"];
                };
            };
        };
    };
    testHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a hook.
                 * @example 8c1e40b97a5d23f6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 测试消息已发出 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneEnvelope"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a hook.
                 * @example 8c1e40b97a5d23f6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取推送记录成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookDeliveriesEnvelope"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description Leaves out events up to this `seq`. Left out: from the oldest that is kept.
                 * @example 41
                 */
                after?: number;
                /**
                 * @description At most so many.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 获取变更事件成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPageEnvelope"];
                };
            };
        };
    };
    uploadAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A form with one file. */
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["AvatarForm"];
            };
        };
        responses: {
            /** @description 上传头像成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AvatarUpdateResponseEnvelope"];
                };
            };
        };
    };
    uploadBackground: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A form with one file. */
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["BackgroundImageForm"];
            };
        };
        responses: {
            /** @description 上传背景图片成功 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientImageUploadResponseEnvelope"];
                };
            };
        };
    };
    getStatus: {
        parameters: {
            query?: {
                /**
                 * @description Of the page: `zh` or `en`.
                 * @example zh
                 */
                lang?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was seen. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceStatusEnvelope"];
                };
            };
        };
    };
    v1VerifyInviteCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The code to exchange. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1InviteRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1InviteAnswer"];
                };
            };
        };
    };
    v1Register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Student id, both campus passwords and an invite token. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1RegisterRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1RegisterAnswer"];
                };
            };
        };
    };
    v1Login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Student id and both campus passwords. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1LoginRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1LoginAnswer"];
                };
            };
        };
    };
    v1Authme: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1AuthmeRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1AuthmeAnswer"];
                };
            };
        };
    };
    v1GetUserProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1GetUserProfileRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1UserProfileAnswer"];
                };
            };
        };
    };
    v1UpdateUserProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1UpdateUserProfileRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1UserProfileAnswer"];
                };
            };
        };
    };
    v1FetchAcademicInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1AuthmeRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1AcademicInfoAnswer"];
                };
            };
        };
    };
    v1FetchAllTerms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1AuthmeRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1AllTermsAnswer"];
                };
            };
        };
    };
    v1FetchTermScore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is, and which rows. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1FetchTermScoreBody"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1TermScoreAPIAnswer"];
                };
            };
        };
    };
    v1FetchCourseSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is, and which term. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1FetchCourseScheduleBody"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1ScheduleAnswer"];
                };
            };
        };
    };
    v1FetchEducationPlanInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1AuthmeRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1TrainingPlanInfoAnswer"];
                };
            };
        };
    };
    v1FetchEvaluationCourseList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1AuthmeRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1CourseListAnswer"];
                };
            };
        };
    };
    v1FetchExamInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1AuthmeRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1ExamInfoAPIAnswer"];
                };
            };
        };
    };
    v1FetchScoreInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1AuthmeRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1ScoreInfoAnswer"];
                };
            };
        };
    };
    v1FetchScoreList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1AuthmeRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1ScoreListAnswer"];
                };
            };
        };
    };
    v1InitializeEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1AuthmeRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1InitializeAnswer"];
                };
            };
        };
    };
    v1StartEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1AuthmeRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1TaskOperationAnswer"];
                };
            };
        };
    };
    v1TerminateEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1AuthmeRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1TaskOperationAnswer"];
                };
            };
        };
    };
    v1EvaluationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1AuthmeRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1EvaluationStatsAnswer"];
                };
            };
        };
    };
    v1CurrentEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whose call it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1AuthmeRequest"];
            };
        };
        responses: {
            /** @description Success, or a failure told by `code`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1CurrentCourseInfoAnswer"];
                };
            };
        };
    };
}
