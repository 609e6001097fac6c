/** The path of everything. */
export const BASE = '/jwglxt';
export const LOGIN = `${BASE}/xtgl/login_slogin.html`;
export const LOCKS_AFTER = 5;
export const LOCK_MINUTES = 10;

/** What schools do differently, and what a login meets. */
export interface JwglxtSwitches {
  page: 'old' | 'new';
  mmsfjm: '0' | '1' | 'left out';
  image: 'off' | 'shown' | 'after-failures' | 'dlsfbxyzm';
  /** It tells how often the login has failed. */
  lock: boolean;
  confirm: boolean;
  slider: 'off' | 'page' | 'tip';
  sms: 'off' | 'page' | 'answer';
  firewall: 'off' | '202' | '412' | 'script';
  night: 'off' | 'page' | 'tip';
  success: '302' | 'meta' | 'back-to-login';
  scores: 'both' | 'first' | 'second-filled' | 'second';
  timetable: 'first' | 'second' | 'after-its-page';
  sections: 'list' | 'empty' | 'absent';
  area: 'present' | 'absent' | 'other-term';
  /** In place of data. */
  alert: string;
  /** Rows of one answer of a list, no matter how many were asked for. */
  most: number;
}

export const usual: JwglxtSwitches = {
  page: 'old',
  mmsfjm: '1',
  image: 'off',
  lock: false,
  confirm: false,
  slider: 'off',
  sms: 'off',
  firewall: 'off',
  night: 'off',
  success: '302',
  scores: 'both',
  timetable: 'first',
  sections: 'list',
  area: 'present',
  alert: '',
  most: 5_000,
};

/** The page of the login with a token that is good for one password; `tip`: what it says of the last one. */
export const loginPage = (switches: JwglxtSwitches, csrf: string, showsImage: boolean, tip: string): string => {
  const { page, mmsfjm, lock, image, slider, sms } = switches;
  const hiddenInput = (name: string, value: string) =>
    `<input type="hidden" name="${name}" id="${name}" value= ${value}>`;
  const cipher = mmsfjm === 'left out' ? '' : hiddenInput('mmsfjm', mmsfjm);
  const flags = `${hiddenInput('yzcskz', String(LOCKS_AFTER))}${hiddenInput('dlsbsdsj', String(LOCK_MINUTES))}${cipher}
${hiddenInput('mmsrddcshkzfs', lock ? '1' : '0')}${hiddenInput('dlsfbxyzm', image === 'shown' ? '1' : '0')}${hiddenInput('dxsyrz', sms === 'page' ? '1' : '0')}`;
  const logout =
    page === 'new' ? `<input type="hidden" id="csrfTokenLogout" name="csrfTokenLogout" value="0b6f6f50"/>` : '';
  const tips = `<p id="tips" class="bg_danger sl_danger"${tip === '' ? ' style="display:none"' : ''}>${tip}</p>`;
  const drag =
    slider === 'page'
      ? `<script src="${BASE}/zfcaptchaLogin?type=resource&instanceId=zfcaptchaLogin&name=zfdun_captcha.js"></script>`
      : '';
  return `<html><head><title>教学综合信息服务平台</title>${drag}</head><body>
${flags}<form action="${LOGIN}" method="post"><h5>用户登录</h5>${tips}
<input type="hidden" id="csrftoken" name="csrftoken" value="${csrf}"/>${logout}
<input type="hidden" id="language" name="language" value="zh_CN"/><input type="hidden" id="ydType" name="ydType" value=""/>
<input type="text" name="yhm" id="yhm" value=""><input type="password" name="mm" id="hidMm" style="display:none">
<input type="text" name="mm" id="mm">
<div id="yzmDiv" class="form-group"${showsImage ? '' : ' style="display:none"'}><input name="yzm" type="text" id="yzm"><img id="yzmPic"></div>
</form></body></html>`;
};
