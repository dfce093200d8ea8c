import Autowait
import Testing

/// The own logarithm and exponential: the nearest number, and the same bits on every machine.
@Suite struct ElementaryTests {
  typealias Row = (x: Double, bits: UInt64)

  /// A function, and its value: computed with 200 bits and rounded once.
  struct Table: Sendable, CustomTestStringConvertible {
    var name: String
    var function: @Sendable (Double) -> Double
    var rows: [Row]
    var testDescription: String { name }
  }

  static let tables = [
    Table(name: "ln", function: { Elementary.ln($0) }, rows: logarithms),
    Table(name: "exp2", function: { Elementary.exp2($0) }, rows: powers),
    Table(name: "exp", function: { Elementary.exp($0) }, rows: exponentials),
  ]

  @Test(arguments: tables) func resultsAreTheNearestNumbers(_ table: Table) {
    for row in table.rows {
      let result = table.function(row.x)
      #expect(result.bitPattern == row.bits, "\(table.name)(\(row.x)) = \(result)")
    }
  }

  @Test func limits() {
    #expect(Elementary.ln(0) == -.infinity)
    #expect(Elementary.ln(-1).isNaN)
    #expect(Elementary.ln(.nan).isNaN)
    #expect(Elementary.ln(.infinity) == .infinity)
    #expect(Elementary.exp(-1_000) == 0)
    #expect(Elementary.exp(1_000) == .infinity)
    #expect(Elementary.exp(.nan).isNaN)
    #expect(Elementary.exp2(-2_000) == 0)
    #expect(Elementary.exp2(1_024) == .infinity)
    #expect(Elementary.exp2(.nan).isNaN)
  }

  /// Whole powers of two are exact, down to the least number that there is.
  @Test func wholePowersAreExact() {
    for exponent in -1_074...1_023 {
      let expected = Double(sign: .plus, exponent: exponent, significand: 1)
      #expect(Elementary.exp2(Double(exponent)) == expected, "2^\(exponent)")
      if exponent >= -1_022 {
        let back = Elementary.ln(expected) / Elementary.ln(2)
        #expect(abs(back - Double(exponent)) < 1e-12, "2^\(exponent)")
      }
    }
  }

  /// Functions that are no less where their argument is larger; a table of powers that has a wrong
  /// entry would have a step.
  @Test func nothingFalls() {
    var last = (power: 0.0, exponential: 0.0, logarithm: -Double.infinity)
    for step in 0..<40_000 {
      let x = Double(step) / 4_000 - 5
      let next = (Elementary.exp2(x), Elementary.exp(x), Elementary.ln(Double(step + 1) / 777))
      #expect(next.0 > last.power && next.1 > last.exponential && next.2 > last.logarithm)
      last = next
    }
  }

  /// One number stands for the bits of sixty thousand results.
  @Test func bitsArePinned() {
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    var stream = RandomStream(seed: 1, component: "test", purpose: "elementary")
    for _ in 0..<20_000 {
      let x = Double(stream.next() >> 11) * 0x1p-53
      for result in [Elementary.ln(x * 1e6), Elementary.exp2(-60 * x), Elementary.exp(40 * x - 20)]
      {
        digest = (digest ^ result.bitPattern) &* 0x100_0000_01b3
      }
    }
    #expect(digest == 0x47bb_b914_fa7c_e9f4, "\(digest)")
  }

  static let logarithms: [Row] = [
    (1, 0), (2, 0x3fe6_2e42_fefa_39ef), (0.5, 0xbfe6_2e42_fefa_39ef),
    (0x1.8p+1, 0x3ff1_93ea_7aad_030b),
    (0x1.4p+3, 0x4002_6bb1_bbb5_5516),
    (0x1.ccp+7, 0x4015_c097_dcc3_8483),
    (0x1.4bp+8, 0x4017_355e_84f7_0f80),
    (0x1.ef8p+9, 0x401b_9848_9f75_8c76),
    (0x1.3a3p+12, 0x4021_0b8f_6e3c_4b43),
    (0x1.10bp+13, 0x4022_25eb_8035_df0e),
    (0x1.0000000000001p+0, 0x3caf_ffff_ffff_ffff),
    (0x1.fffffffffffffp-1, 0xbca0_0000_0000_0000),
    (0x1.56e1fc2f8f359p-997, 0xc085_9634_47f8_7fb5),
    (0x1.fffffffffffffp+1023, 0x4086_2e42_fefa_39ef),
    (0x1p-1074, 0xc087_4385_446d_71c3),
    (0x1.6f31ba6c42e88p+0, 0x3fd7_15ee_510c_086a),
    (0x1.9cd8a0d135af2p+0, 0x3fde_95e0_32de_9186),
    (0x1.b15ab5512435fp+0, 0x3fe0_d817_3914_a5e5),
    (0x1.e9e6a1f8647c9p+0, 0x3fe4_c4d1_8b3f_30b0),
    (0x1.9c1efd4f4c2a6p+0, 0x3fde_7912_8f5a_1164),
    (0x1.e22c3c8971213p+0, 0x3fe4_428f_969e_e354),
    (0x1.6aafcd662be1fp+11, 0x401f_e455_2140_c2b1),
    (0x1.6bc599815f451p+15, 0x4025_7f42_e423_5ad3),
    (0x1.707fba74b1c08p+16, 0x4026_e8c3_5561_1180),
    (0x1.fb039cd87bd17p+15, 0x4026_2940_5a6f_f25e),
    (0x1.5fea25f5527f3p+16, 0x4026_d12f_9344_cc4f),
    (0x1.61cbddb713f67p+13, 0x4022_ab3d_ff2f_2ebf),
    (0x1.6e76df1545ab5p+15, 0x4025_8309_73a2_d315),
    (0x1.81482591d7349p+14, 0x4024_39c8_8b66_6262),
  ]

  static let powers: [Row] = [
    (0, 0x3ff0_0000_0000_0000),
    (0x1.0p+0, 0x4000_0000_0000_0000),
    (-0x1.0p+0, 0x3fe0_0000_0000_0000),
    (0x1.0p-1, 0x3ff6_a09e_667f_3bcd),
    (-0x1.0p-1, 0x3fe6_a09e_667f_3bcd),
    (0x1.5555555555555p-2, 0x3ff4_28a2_f98d_728b),
    (-0x1.5555555555555p-2, 0x3fe9_65fe_a53d_6e3d),
    (-0x1.affdf3b645a1dp+5, 0x3c90_02d7_11c7_9a8e),
    (-0x1.ff4p+9, 0x000b_504f_333f_9de6),
    (0x1.fffffcb923a2ap+9, 0x7fef_ff6e_a43b_d988),
    (0x1.70ef54646d497p-57, 0x3ff0_0000_0000_0000),
    (-0x1.12e0be826d695p-30, 0x3fef_ffff_ffa0_bc0d),
    (-0x1.23fe3887d7908p+3, 0x3f5d_593a_63cf_7916),
    (-0x1.10ad79cc0db5p+3, 0x3f66_4c36_d61a_6228),
    (-0x1.3bcdaf82c0adcp+4, 0x3eb3_30a4_b2ef_37c9),
    (-0x1.f54afd4f59111p+3, 0x3ef4_2d27_c12b_42f2),
    (-0x1.cd219bf16f174p+3, 0x3f08_13fb_d09d_66ff),
    (-0x1.ac4fcb54d381p+0, 0x3fd4_11b3_a802_4622),
    (-0x1.2bdf1581b0a5ep+2, 0x3fa3_e5bc_ebd1_502e),
    (-0x1.0ced391185e24p+4, 0x3ee2_4752_cf05_863e),
    (-0x1.03a6dfb47dad2p+2, 0x3fae_c252_3390_b391),
    (-0x1.13982c4f486fap+4, 0x3edb_62ba_2514_1945),
  ]

  static let exponentials: [Row] = [
    (0, 0x3ff0_0000_0000_0000),
    (0x1.0p+0, 0x4005_bf0a_8b14_5769),
    (-0x1.0p+0, 0x3fd7_8b56_362c_ef38),
    (0x1.0p-1, 0x3ffa_6129_8e1e_069c),
    (-0x1.62e42fefa39efp-1, 0x3fe0_0000_0000_0000),
    (0x1.4p+3, 0x40d5_829d_cf95_0560),
    (-0x1.4p+5, 0x3c53_9792_499b_1a24),
    (0x1.5ep+9, 0x7f0d_945d_f4f8_ec8e),
    (-0x1.5ep+9, 0x00d1_4f2b_0fb9_307f),
    (0x1.70ef54646d497p-57, 0x3ff0_0000_0000_0000),
    (0x1.2cadaf0e58f04p+2, 0x405b_6f44_9550_e548),
    (-0x1.ddd3320ad76a4p+3, 0x3e95_f8fb_fcf6_2f20),
    (-0x1.3edd34e236886p+4, 0x3e23_0201_b429_8e96),
    (0x1.db65e820d9a04p+3, 0x4145_9991_adf5_9805),
    (-0x1.73e55524399a3p+3, 0x3ee2_cf27_b4c9_ec2a),
    (-0x1.6c2f21666131dp+3, 0x3ee7_ef55_7977_02ce),
    (0x1.34bfdfdd44bd6p+4, 0x41ac_a14f_5657_3fc0),
    (0x1.dcae939aa3344p+3, 0x4146_7bee_34d0_f495),
  ]
}
